import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { checkOnce, sentTo, type Tally } from '../support/once.ts';
import { createRandom } from '../support/random.ts';
import { openStage, opsGroup } from '../support/stage.ts';

// SIGKILL at moments nobody chose, through many requests with approvals and jobs: nothing lost, nothing twice, and each
// is told its end. HOSTLER_CRASH_SEED repeats a run's choices (not its timing).

const seed = Number(process.env.HOSTLER_CRASH_SEED ?? Date.now() % 1_000_000);

const policy = policySchema.parse({
  grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
  rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`] } },
});

test.concurrent.for([
  { engine: 'sqlite', bots: 1, requests: 150, lanes: 6, kills: 20 },
  { engine: 'postgres', bots: 2, requests: 50, lanes: 8, kills: 7 },
] as const)(
  '$requests requests on $engine with $bots, killed again and again',
  async ({ engine, bots, requests, lanes, kills }, { onTestFinished }) => {
    console.log(`${engine}: HOSTLER_CRASH_SEED=${seed}`);
    const random = createRandom(seed);
    const stage = await openStage({
      engine,
      bots,
      policy,
      provider: { seed: { orders: requests + 200 }, jobMs: { min: 50, max: 1_500 } },
    });
    onTestFinished(stage.close);
    const { sim } = stage.slack;
    const servers = [...stage.provider.sim.state().orders]
      .filter((order) => order.vps?.power === 'on')
      .slice(0, requests)
      .map(({ id }) => id);
    expect(servers).toHaveLength(requests);
    let crashes = 0;
    let isAsking = true;

    /** As a person does: what Slack says was not taken is tried again, unless its effect is there. */
    async function patiently(act: () => Promise<{ error: string | null }>, isThere: () => Promise<boolean>) {
      for (let tries = 0; tries < 40; tries++) {
        const { error } = await act();
        if (error === null || (await isThere())) return;
        await sleep(200);
      }
      throw new Error('nobody took it');
    }

    async function serve(server: string): Promise<void> {
      const channel = await stage.channel(`c-${server}`, policy);
      const rows = () => stage.store.operations.list({ channel, limit: 10 });
      await patiently(
        () => sim.say('operator', channel, `/host stop ${server}`),
        async () => (await rows()).length > 0,
      );
      await stage.until(() => sim.transcript(channel).includes('[Approve]'), `the card of ${server}`, 90_000);
      await patiently(
        () => sim.click('lead', { channel, label: 'Approve' }),
        async () => (await rows()).some(({ state }) => state !== 'waiting'),
      );
    }

    async function lane(own: readonly string[]): Promise<void> {
      for (const server of own) await serve(server);
    }

    async function killNowAndThen(): Promise<void> {
      while (isAsking && crashes < kills) {
        await sleep(300 + random() * 2_200);
        crashes++;
        await stage.crash(Math.floor(random() * stage.bots.length));
      }
    }

    const killing = killNowAndThen();
    await Promise.all(
      Array.from({ length: lanes }, (_, index) => lane(servers.filter((_, n) => n % lanes === index))),
    ).finally(() => {
      isAsking = false;
    });
    await killing;

    // A write that was noted and never left the process is read for five minutes before it is called failed; it was told.
    await stage.settle(
      150_000,
      async ({ id, state }) =>
        state === 'reading' && (await stage.store.messages.find(`lost:${id}:0`))?.state === 'delivered',
    );

    const tally: Tally = { repeated: 0 };
    const resting = (await stage.store.operations.open()).filter(({ state }) => state === 'reading');
    for (const { id } of resting) {
      const [step] = await stage.store.steps.list(id);
      expect(sentTo(stage, 'stop', step?.target ?? ''), `${id} is still read`).toBe(0);
    }
    const operations = await checkOnce(stage, tally, new Set(resting.map(({ id }) => id)));
    for (const server of servers) {
      expect(sentTo(stage, 'stop', `order:${server}`), server).toBeLessThan(2);
      const channel = sim.state().channels.find(({ name }) => name === `c-${server}`)?.id;
      const own = operations.filter((operation) => operation.channel === channel);
      const carried = own.filter(({ id, state }) => state === 'done' || resting.some((one) => one.id === id));
      const story = own.map(({ id, state, endText }) => `${id} ${state} ${endText}`).join('; ');
      expect(carried.length, `${server}: ${story}`).toBe(1);
    }
    const ends = Object.entries(Object.groupBy(operations, ({ state }) => state)).map(
      ([state, rows]) => `${rows?.length} ${state}`,
    );
    console.log(`${engine}: ${crashes} SIGKILLs; ${ends.join(', ')}; ${tally.repeated} messages twice in Slack`);
  },
);
