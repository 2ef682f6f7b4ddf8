import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { checkOnce, sentTo, type Tally } from '../support/once.ts';
import { openStage, opsGroup } from '../support/stage.ts';

// SIGKILL at moments nobody chose, through many requests with approvals and jobs: nothing lost, nothing twice, and each
// is told its end. HOSTLER_CRASH_SEED repeats a run's choices (not its timing).

const seed = Number(process.env.HOSTLER_CRASH_SEED ?? Date.now() % 1_000_000);

/** mulberry32: small, and the same everywhere. */
function createRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const policy = policySchema.parse({
  grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
  rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`] } },
});

test.concurrent.for([
  { engine: 'sqlite', bots: 1, requests: 200, lanes: 6 },
  { engine: 'postgres', bots: 2, requests: 100, lanes: 4 },
] as const)(
  '$requests requests on $engine with $bots, killed again and again',
  async ({ engine, bots, requests, lanes }, { onTestFinished }) => {
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
      while (isAsking) {
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
    const isResting = (id: string) => async () =>
      (await stage.store.operations.find(id))?.state === 'reading' &&
      (await stage.store.messages.find(`lost:${id}:0`))?.state === 'delivered';
    const open = async () => {
      const rows = (await stage.store.operations.open()).filter(({ state }) => state !== 'waiting');
      const moving = await Promise.all(rows.map(async ({ id }) => !(await isResting(id)())));
      return moving.filter(Boolean).length;
    };
    await stage.until(async () => (await open()) === 0, 'everything to end or to be read', 150_000);
    await stage.until(async () => (await stage.store.messages.pending()).count === 0, 'Slack to be told', 60_000);

    const tally: Tally = { repeated: 0 };
    const resting = (await stage.store.operations.open()).filter(({ state }) => state === 'reading');
    for (const { id } of resting) {
      const [step] = await stage.store.steps.list(id);
      expect(sentTo(stage, 'stop', step?.target ?? ''), `${id} is still read`).toBe(0);
    }
    const operations = await checkOnce(stage, tally, new Set(resting.map(({ id }) => id)));
    for (const server of servers) {
      expect(sentTo(stage, 'stop', `order:${server}`), server).toBeLessThan(2);
      const own = operations.filter(
        ({ channel }) => channel === sim.state().channels.find((one) => one.name === `c-${server}`)?.id,
      );
      expect(
        own.filter(({ state }) => state === 'done').length +
          own.filter(({ id }) => resting.some((one) => one.id === id)).length,
        server,
      ).toBe(1);
    }
    const ends = Object.entries(Object.groupBy(operations, ({ state }) => state)).map(
      ([state, rows]) => `${rows?.length} ${state}`,
    );
    console.log(`${engine}: ${crashes} SIGKILLs; ${ends.join(', ')}; ${tally.repeated} messages twice in Slack`);
  },
);
