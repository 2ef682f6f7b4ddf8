import { createRandom } from '../../test/support/values/random.ts';
import type { Act } from './acts.ts';
import type { World } from './world.ts';
import {
  approve,
  databaseFails,
  fly,
  forbidden,
  freeze,
  kill,
  pin,
  policies,
  renamed,
  restartRoute,
  slackFails,
  smallWorlds,
  standsStill,
  toTheHour,
} from './worlds.ts';

const turnedOff: Act = {
  do: 'by hand',
  what: 'somebody turns web-1 off',
  change: (sim) => sim.power({ order: '34-12345', state: 'off' }),
};
const stricter: Act = { do: 'policy', what: 'two must approve', policy: policies.two, allows: true };
const lines = [
  'restart web-1',
  'restart web-1',
  'stop web-1',
  'hard-reset web-1',
  'restart web-1 web-2 db-1',
  'start web-1',
  'restart web-1 in=4d',
  'restart web-1 at=14:03',
  'hard-reset web-1 in=2d',
  'stop web-1 in=1d if-frozen=wait',
  'restart web-1 every="daily 14:05" until=2026-01-07 runs=2',
];
const voters = ['lead', 'lead', 'reader', 'operator', 'admin', 'guest'];
const sides: readonly Act[] = [
  kill,
  kill,
  renamed,
  turnedOff,
  freeze,
  { do: 'leave group', who: 'lead' },
  { do: 'leave group', who: 'reader' },
  { do: 'deactivate', who: 'lead' },
  { do: 'deactivate', who: 'operator' },
  { do: 'vote', who: 'operator', vote: 'withdraw' },
  { do: 'vote', who: 'lead', vote: 'decline' },
  { do: 'vote', who: 'operator', vote: 'stop' },
  { do: 'suspend', ms: 90_000 },
  { do: 'suspend', ms: 16 * 60_000 },
  { do: 'vote', who: 'lead', vote: 'continue' },
  { do: 'say', who: 'reader', line: 'status web-1' },
  { do: 'vote', who: 'operator', vote: 'now' },
  { do: 'vote', who: 'reader', vote: 'stop' },
  pin,
  fly,
  toTheHour,
  forbidden,
  stricter,
  databaseFails,
  slackFails,
  standsStill,
  { do: 'stand still', ms: 5_000 },
  { do: 'set the clock', ms: 3 * 60_000 },
  { do: 'set the clock', ms: -60_000 },
  { do: 'start again', isPaused: true },
  { do: 'start again', isPaused: false },
];
const faults: NonNullable<World['faults']>[number][] = [
  { kind: 'lose', match: restartRoute, times: 1 },
  { kind: 'drop', match: restartRoute, times: 1 },
  { kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 },
  { kind: 'nextJob', end: 'error', times: 1 },
  { kind: 'answer', status: 503, match: 'GET /vps/{order_id}/status/', times: 2 },
  { kind: 'answer', status: 409, body: { detail: 'Another operation is in progress.' }, match: restartRoute, times: 1 },
];

const worldsAtHours = smallWorlds.filter(({ name }) => /^(scheduled|standing)/.test(name));

/** A larger world, drawn from its seed. */
export function drawWorld(seed: number): World {
  const random = createRandom(seed);
  if (random() < 0.7) {
    const from = random() < 0.3 ? worldsAtHours : smallWorlds;
    const small = from[Math.floor(random() * from.length)];
    if (small !== undefined) return { ...small, name: `drawn by seed ${seed}` };
  }
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const requests = 1 + upTo(1);
  const policy = pick(Object.values(policies));
  const threads: Act[][] = [];
  for (let n = 0; n < requests; n++) {
    const who = pick(['operator', 'operator', 'lead']);
    threads.push([
      { do: 'say', who, line: pick(lines), times: 1 + upTo(1), ...(n === 0 ? {} : { anyway: true as const }) },
    ]);
    if (policy === policies.confirm) threads.push([{ do: 'vote', who, vote: 'confirm', times: 1 + upTo(1) }]);
  }
  for (let n = 1 + upTo(3); n > 0; n--) threads.push([approve(pick(voters), 1 + upTo(1))]);
  for (let n = upTo(3); n > 0; n--) threads.push([pick(sides)]);
  return {
    name: `drawn by seed ${seed}`,
    replicas: 1 + upTo(1),
    policy,
    threads,
    faults: Array.from({ length: upTo(2) }, () => pick(faults)),
  };
}
