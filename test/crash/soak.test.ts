import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FaultInput } from '../../sandbox/provider/faults.ts';
import { askToStop, serversOn } from '../support/bot/people.ts';
import { granting } from '../support/bot/policy.ts';
import { textOf, troubles } from '../support/process/bot-process.ts';
import { checkOnce, sentTo, type Tally } from '../support/process/once.ts';
import { opsGroup, startSystem } from '../support/process/test-system.ts';
import { counted, report } from '../support/suite/report.ts';
import { isNightly, seed } from '../support/suite/seed.ts';
import { pick } from '../support/values/mutate.ts';
import { createRandom } from '../support/values/random.ts';

// Everything at once: many people, two replicas of which one or the other is killed, sockets that drop, a provider that
// answers late, wrongly or not at all, and a Slack that says 429. For three minutes at night, else for
// some seconds.

const seconds = isNightly ? 180 : 5;

const policy = granting({ everyone: 'read operate' }, { disruptive: { approve: 1, by: [`group:${opsGroup}`] } });

const stopRoute = 'POST /vps/{order_id}/stop/';
/** The effect may be the same; the sentences differ. */
const faults: readonly FaultInput[] = [
  { kind: 'lose', match: stopRoute, times: 1 },
  { kind: 'malformed', match: stopRoute, times: 1 },
  { kind: 'delay', match: stopRoute, ms: 2_000, times: 2 },
  { kind: 'answer', status: 503, match: 'GET /vps/{order_id}/status/', times: 4 },
  { kind: 'drop', match: 'GET /vps/{order_id}/log_details/{log_id}/', times: 4 },
  { kind: 'throttle', retryAfterSec: 1, match: 'GET /orders/', times: 1 },
  { kind: 'nextJob', end: 'error', match: stopRoute, times: 1 },
];

test(`${seconds} seconds of load and all faults at once: no call is sent twice, and no log has a secret`, {
  timeout: (seconds + 900) * 1_000,
}, async ({ onTestFinished }) => {
  const random = createRandom(seed);
  const system = await startSystem({
    engine: 'postgres',
    bots: 2,
    policy,
    env: { LOG_LEVEL: 'trace' },
    provider: { seed: { orders: 200 + seconds * 8 }, jobMs: { min: 50, max: 3_000 } },
  });
  onTestFinished(system.close);
  const logs = system.bots.map(({ log }) => log);
  const { sim } = system.slack;
  const servers = serversOn(system, 40 + seconds * 3);
  const until = Date.now() + seconds * 1_000;
  const isOn = () => Date.now() < until;
  const did = { kills: 0, drops: 0, storms: 0, 'provider faults': 0, reads: 0 };
  const asked: string[] = [];

  /** Repeats the act at random times, until the end of the test. */
  async function nowAndThen(everyMs: number, act: () => Promise<unknown> | unknown): Promise<void> {
    while (isOn()) {
      await sleep(everyMs * (0.5 + random()));
      if (isOn()) await act();
    }
  }
  // Another process resumes a stored request of a killed one after a minute, and may be killed, too.
  const people = Array.from({ length: 8 }, async () => {
    for (let server = servers.pop(); server !== undefined && isOn(); server = servers.pop()) {
      asked.push(server);
      await askToStop(system, server, { policy, decide: { by: 'lead', label: 'Approve' }, cardWithinMs: 300_000 });
    }
  });
  await Promise.all([
    ...people,
    nowAndThen(4_000, async () => {
      did.kills++;
      logs.push((await system.crash(Math.floor(random() * system.bots.length))).log);
    }),
    nowAndThen(2_500, () => {
      did.drops++;
      sim.dropSockets();
    }),
    nowAndThen(5_000, async () => {
      did.storms++;
      const clear = ['chat.postMessage', 'chat.update'].map((method) =>
        sim.fault({ method, status: 429, retryAfterS: 1 }),
      );
      await sleep(1_000);
      for (const one of clear) one();
    }),
    nowAndThen(1_500, () => {
      did['provider faults']++;
      system.provider.sim.fault(pick(random, faults));
    }),
    nowAndThen(700, async () => {
      did.reads++;
      await sim.say('reader', '#ops', random() < 0.5 ? '/host list' : '/host requests');
    }),
  ]);
  system.provider.sim.clearFaults();
  await system.settle(300_000, async ({ state }) => state === 'reading');
  // Reading after a lost answer takes five minutes: bots with a limit of three seconds take over.
  for (const bot of system.bots.splice(0)) await bot.end('SIGTERM');
  for (let n = 0; n < 2; n++) logs.push((await system.start({}, 'test/stories/fast-bot.ts')).log);
  await system.settle(120_000);
  const tally: Tally = { repeated: 0 };
  const operations = await checkOnce(system, tally);
  for (const server of asked) expect(sentTo(system, 'stop', `order:${server}`), server).toBeLessThan(2);
  const secrets = [system.slack.botToken, system.slack.appToken, system.provider.key];
  for (const log of logs) for (const secret of secrets) expect(textOf(log)).not.toContain(secret);
  const bugs = logs.flatMap(troubles).filter((text) => /bug in the bot|nhandled/.test(text));
  expect(bugs.slice(0, 3)).toEqual([]);
  report(`${seconds} s of everything at once, PostgreSQL, two replicas (HOSTLER_SEED=${seed})`, {
    requests: operations.length,
    'ended as': counted(operations.map(({ state }) => state)),
    ...did,
    'writes sent twice': 0,
    'messages twice in Slack': tally.repeated,
  });
});
