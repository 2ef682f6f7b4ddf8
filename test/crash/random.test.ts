import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askToStop, serversOn } from '../support/bot/people.ts';
import { granting } from '../support/bot/policy.ts';
import { checkOnce, sentTo, type Tally } from '../support/process/once.ts';
import { opsGroup, startSystem } from '../support/process/test-system.ts';
import { counted, report } from '../support/suite/report.ts';
import { hasAllTests, seed } from '../support/suite/seed.ts';
import { createRandom } from '../support/values/random.ts';

// SIGKILL at random moments, through many requests with approvals and jobs: nothing is lost, nothing happens twice, and
// each end is posted. HOSTLER_SEED repeats a run's choices (not its timing). It waits five minutes for the last end
// of those whose write was noted and never left a killed process. A quick run has the kills of the soak only.

const policy = granting({ everyone: 'read operate' }, { disruptive: { approve: 1, by: [`group:${opsGroup}`] } });

const runs = [
  { engine: 'sqlite', bots: 1, requests: 200, lanes: 8, kills: 24 },
  { engine: 'postgres', bots: 2, requests: 100, lanes: 10, kills: 14 },
] as const;

test.skipIf(!hasAllTests).for(runs)(
  'each of $requests random requests ends on $engine with $bots replicas under repeated kills, and none is sent twice',
  { timeout: 900_000 },
  async ({ engine, bots, requests, lanes, kills }, { onTestFinished }) => {
    const random = createRandom(seed);
    const system = await startSystem({
      engine,
      bots,
      policy,
      provider: { seed: { orders: requests + 200 }, jobMs: { min: 50, max: 1_500 } },
    });
    onTestFinished(system.close);
    const { sim } = system.slack;
    const servers = serversOn(system, requests);
    let crashes = 0;
    let isAsking = true;

    async function lane(own: readonly string[]): Promise<void> {
      for (const server of own)
        await askToStop(system, server, { policy, decide: { by: 'lead', label: 'Approve' }, cardWithinMs: 300_000 });
    }

    async function killNowAndThen(): Promise<void> {
      while (isAsking && crashes < kills) {
        await sleep(300 + random() * 2_200);
        crashes++;
        await system.crash(Math.floor(random() * system.bots.length));
      }
    }

    const killing = killNowAndThen();
    await Promise.all(
      Array.from({ length: lanes }, (_, index) => lane(servers.filter((_, n) => n % lanes === index))),
    ).finally(() => {
      isAsking = false;
    });
    await killing;
    await system.settle(500_000);
    const tally: Tally = { repeated: 0 };
    const operations = await checkOnce(system, tally);
    for (const server of servers) {
      expect(sentTo(system, 'stop', `order:${server}`), server).toBeLessThan(2);
      const channel = sim.state().channels.find(({ name }) => name === `c-${server}`)?.id;
      const own = operations.filter((operation) => operation.channel === channel);
      // Recorded as sent by a process that was killed before the call: the bot reads the state, says so, and sends
      // nothing.
      const wasNotSent = (state: string) => state === 'failed' && sentTo(system, 'stop', `order:${server}`) === 0;
      const carried = own.filter(({ state }) => state === 'done' || wasNotSent(state));
      const story = own.map(({ id, state, endText }) => `${id} ${state} ${endText}`).join('; ');
      expect(carried.length, `${server}: ${story}`).toBe(1);
    }
    report(`${engine}, ${bots} process${bots > 1 ? 'es' : ''} (HOSTLER_SEED=${seed})`, {
      requests,
      'SIGKILLs at random moments': crashes,
      'ended as': counted(operations.map(({ state }) => state)),
      'writes at the provider': system.writes().length,
      'writes sent twice': 0,
      'messages twice in Slack': tally.repeated,
    });
  },
);
