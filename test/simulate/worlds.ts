import { policySchema } from '../../src/core/policy.ts';
import { opsGroup } from '../support/fake-slack.ts';
import { createRandom } from '../support/random.ts';
import type { Act } from './acts.ts';
import type { World } from './world.ts';

/** The small worlds whose orders are all explored, and the larger ones that are drawn by seed. */

const everyoneOperates = { to: ['everyone'], can: ['read', 'operate'] };
const byGroup = [`group:${opsGroup}`];
const policies = {
  two: policySchema.parse({
    grants: [everyoneOperates],
    rules: { disruptive: { approve: 2, by: byGroup }, dangerous: { approve: 2, by: byGroup } },
  }),
  one: policySchema.parse({
    grants: [everyoneOperates],
    rules: { disruptive: { approve: 1, by: byGroup }, dangerous: { approve: 1, by: byGroup } },
  }),
  confirm: policySchema.parse({ grants: [everyoneOperates], rules: { dangerous: 'confirm' } }),
};

/** Two of the group approve what disrupts. */
export const twoApprove = policies.two;

const restart: Act = { do: 'say', who: 'operator', line: 'restart web-1', times: 2 };
const approve = (who: string, times = 1): Act => ({ do: 'vote', who, vote: 'approve', times });
const kill: Act = { do: 'kill' };
const renamed: Act = {
  do: 'by hand',
  what: 'somebody renames web-1',
  change: (sim) => sim.order({ order: '34-12345', name: 'web-9' }),
};
const turnedOff: Act = {
  do: 'by hand',
  what: 'somebody turns web-1 off',
  change: (sim) => sim.power({ order: '34-12345', state: 'off' }),
};
const freeze: Act = { do: 'say', who: 'admin', line: 'freeze all because of a test' };
const forbidden: Act = {
  do: 'policy',
  what: 'nobody may operate',
  policy: policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }),
  allows: false,
};
const stricter: Act = { do: 'policy', what: 'two must approve', policy: policies.two, allows: true };
const databaseFails: Act = { do: 'fail', what: 'the database', times: 2 };
const slackFails: Act = { do: 'fail', what: 'Slack', times: 1 };
const standsStill: Act = { do: 'stand still', ms: 90_000 };
const restartRoute = 'POST /vps/{order_id}/restart/';

export const boundedWorlds: readonly World[] = [
  {
    name: 'two approvers, two clicks, a kill',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead', 2)], [approve('reader')], [kill]],
  },
  {
    name: 'two approvers, a lost answer, a kill',
    replicas: 2,
    policy: policies.two,
    faults: [{ kind: 'lose', match: restartRoute, times: 1 }],
    threads: [[restart], [approve('lead')], [approve('reader', 2)], [kill]],
  },
  {
    name: 'two approvers, a change by hand',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead')], [approve('reader')], [renamed]],
  },
  {
    name: 'one approval is enough, and two give it',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [approve('reader')]],
  },
  {
    name: 'an approver leaves the group',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead'), { do: 'leave group', who: 'lead' }], [approve('reader')]],
  },
  {
    name: 'approved and withdrawn',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [{ do: 'vote', who: 'operator', vote: 'withdraw' }]],
  },
  {
    name: 'approved and frozen',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [freeze]],
  },
  {
    name: 'three servers, stopped in between',
    replicas: 2,
    policy: policies.one,
    threads: [
      [{ do: 'say', who: 'operator', line: 'restart web-1 web-2 db-1' }],
      [approve('lead')],
      [{ do: 'vote', who: 'operator', vote: 'stop' }],
    ],
  },
  {
    name: 'three servers, frozen in between',
    replicas: 2,
    policy: policies.one,
    threads: [
      [{ do: 'say', who: 'operator', line: 'restart web-1 web-2 db-1' }],
      [approve('lead')],
      [{ do: 'freeze' }],
    ],
  },
  {
    name: 'an approver asks, and approves',
    replicas: 2,
    policy: policies.two,
    threads: [[{ do: 'say', who: 'lead', line: 'restart web-1' }], [approve('lead')], [approve('reader')]],
  },
  {
    name: 'somebody outside the group approves',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [{ do: 'leave group', who: 'reader' }, approve('reader')], [approve('guest')]],
  },
  {
    name: 'a job that ends in error',
    replicas: 2,
    policy: policies.one,
    faults: [{ kind: 'nextJob', end: 'error', times: 1 }],
    threads: [[restart], [approve('lead')]],
  },
  {
    name: 'confirmed when the time is over',
    replicas: 2,
    policy: policies.confirm,
    threads: [[restart, { do: 'suspend', ms: 16 * 60_000 }], [{ do: 'vote', who: 'operator', vote: 'confirm' }]],
  },
  {
    name: 'a lookup fails while two approve',
    replicas: 1,
    policy: policies.two,
    threads: [[restart], [approve('lead')], [approve('reader')], [slackFails]],
  },
  {
    name: 'the database fails while it is sent',
    replicas: 1,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [databaseFails]],
  },
  {
    name: 'a process stands still',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [standsStill]],
  },
  {
    name: 'the right is taken away',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [forbidden]],
  },
  {
    name: 'started again, paused, and let go',
    replicas: 1,
    policy: policies.one,
    threads: [
      [restart, { do: 'start again', isPaused: true }],
      [approve('lead')],
      [{ do: 'start again', isPaused: false }],
    ],
  },
  {
    name: 'the machine sleeps over an approval',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [{ do: 'suspend', ms: 16 * 60_000 }]],
  },
  {
    name: 'a job that hangs',
    replicas: 2,
    policy: policies.one,
    faults: [{ kind: 'nextJob', end: 'hang', times: 1 }],
    // By the clock the job lasts for more than the two hours in which it is looked at.
    threads: [[restart], [approve('lead'), { do: 'suspend', ms: 2.1 * 3_600_000, isOnceWatched: true }]],
  },
  {
    name: 'two requests for one server',
    replicas: 2,
    policy: policies.confirm,
    threads: [
      [restart, { do: 'vote', who: 'operator', vote: 'confirm' }],
      [
        { do: 'say', who: 'lead', line: 'stop web-1' },
        { do: 'vote', who: 'lead', vote: 'confirm' },
      ],
    ],
  },
];

const lines = [
  'restart web-1',
  'restart web-1',
  'stop web-1',
  'hard-reset web-1',
  'restart web-1 web-2 db-1',
  'start web-1',
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

/** A larger world, drawn by its seed. */
export function drawWorld(seed: number): World {
  const random = createRandom(seed);
  if (random() < 0.7) {
    const small = boundedWorlds[Math.floor(random() * boundedWorlds.length)];
    if (small !== undefined) return { ...small, name: `drawn by seed ${seed}` };
  }
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const requests = 1 + upTo(1);
  const policy = pick(Object.values(policies));
  const threads: Act[][] = [];
  for (let n = 0; n < requests; n++) {
    const who = pick(['operator', 'operator', 'lead']);
    threads.push([{ do: 'say', who, line: pick(lines), times: 1 + upTo(1) }]);
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
