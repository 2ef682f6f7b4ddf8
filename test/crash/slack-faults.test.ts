import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { startSlack } from '../../sandbox/slack/server.ts';
import { createOutbox } from '../../src/engine/context/outbox.ts';
import { openSlack } from '../../src/slack/open-slack.ts';
import { openStore } from '../../src/store/database.ts';
import { createFakeEngine, createFakeLog, says } from '../slack/support.ts';
import { askToStop, serversOn, stopsOf } from '../support/bot/people.ts';
import { freshDatabase } from '../support/database/databases.ts';
import { checkOnce, type Tally } from '../support/process/once.ts';
import type { TestSystem } from '../support/process/test-system.ts';
import { counted, report } from '../support/suite/report.ts';
import { kind, openSystem } from './stage.ts';

// Slack slows us down, repeats itself, gets its order wrong, and goes away for an hour. For a minute: slack.test.ts.

/** Checks that all were sent once and are done; returns the row of the report. */
async function allDone(system: TestSystem, servers: readonly string[]): Promise<Record<string, string | number>> {
  await system.settle(90_000);
  expect(system.writes().toSorted()).toEqual(stopsOf(servers));
  const tally: Tally = { repeated: 0 };
  const operations = await checkOnce(system, tally);
  expect(operations.filter(({ state }) => state === 'done')).toHaveLength(servers.length);
  return {
    requests: servers.length,
    'ended as': counted(operations.map(({ state }) => state)),
    'writes sent twice': 0,
    'messages twice in Slack': tally.repeated,
  };
}

const repeated = (mode: 'socket' | 'http') => async (context: TestContext) => {
  const system = await openSystem(context, { mode, provider: { jobMs: 100, seed: { orders: 100 } } });
  const { sim } = system.slack;
  sim.deliveryFaults({ isDuplicating: true, isReordering: true });
  const servers = serversOn(system, 20);
  await Promise.all(
    servers.map(async (server, index) => {
      if (index % 5 === 0) sim.deliveryFaults({ acksToLose: 1 });
      await askToStop(system, server);
    }),
  );
  const figures = await allDone(system, servers);
  const commands = sim.outcomes().filter(({ kind }) => kind === 'slash_commands').length;
  expect((await system.store.operations.list({ limit: 1_000 })).length).toBeLessThanOrEqual(commands);
  const deliveries = sim.outcomes().reduce((sum, { attempts }) => sum + attempts.length, 0);
  report(`repeated and reordered, over ${mode}`, { payloads: sim.outcomes().length, deliveries, ...figures });
};

kind({
  'with storms of 429 and Slack’s own limits every card and every end is posted once': async (context) => {
    const system = await openSystem(context, {
      slack: { strictRates: true },
      provider: { jobMs: 300, seed: { orders: 100 } },
    });
    const { sim } = system.slack;
    const servers = serversOn(system, 25);
    let isOver = false;
    const storms = (async () => {
      while (!isOver) {
        const clear = ['chat.postMessage', 'chat.update'].map((method) =>
          sim.fault({ method, status: 429, retryAfterS: 1 }),
        );
        await sleep(1_500);
        for (const one of clear) one();
        await sleep(1_500);
      }
    })();
    await Promise.all(
      servers.map(async (server, index) => {
        await sleep(index * 150);
        await askToStop(system, server);
      }),
    );
    isOver = true;
    await storms;
    const figures = await allDone(system, servers);
    const limited = sim.requests().filter(({ status }) => status === 429).length;
    expect(limited).toBeGreaterThan(10);
    report('storms of 429', { 'calls answered with 429': limited, ...figures });
  },
  'over sockets each payload has its effect once when payloads are repeated and reordered and acknowledgements are lost':
    repeated('socket'),
  'over HTTP each payload has its effect once when payloads are repeated and reordered and acknowledgements are lost':
    repeated('http'),
});

test('messages of an hour without Slack are kept, and delivered in order afterwards', async ({ onTestFinished }) => {
  // The hour is simulated: the outbox and its delivery use this clock. The rows, the sockets and Slack are real.
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const slack = await startSlack();
  const database = await freshDatabase('sqlite');
  const store = await openStore(database.url, { now });
  const messages = createOutbox(store, { owner: 'test', onUndeliverable: async () => {} });
  const { sim, botToken, appToken, apiUrl } = slack;
  const side = await openSlack({ botToken, appToken, apiUrl, port: 0 }, createFakeLog(), { now });
  const connection = await side.connect(createFakeEngine(), messages.outbox);
  onTestFinished(async () => {
    await connection.stop();
    await store.close();
    await slack.close();
    await database.drop();
  });

  /** A minute passes after all due messages were tried: a clock that jumps in the middle would be another test. */
  const pass = async () => {
    const isIdle = async () => {
      const heads = await database.run(
        "select not_before from messages where seq in (select min(seq) from messages where state = 'due' group by channel)",
      );
      return connection.state().sending === 0 && heads.every((row) => Number(row.not_before) > now());
    };
    for (const until = performance.now() + 20_000; !(await isIdle()); ) {
      if (performance.now() > until) throw new Error('the outbox does not come to rest');
      await sleep(20);
    }
    clock.offsetMs += 60_000;
  };
  sim.setDown(true);
  const channels = ['ops', 'dev'];
  const ids = channels.map((name) => sim.state().channels.find((channel) => channel.name === name)?.id ?? '');
  const perChannel = 60;
  const words = (n: number) => `minute ${n}`;
  for (let n = 0; n < perChannel; n++) {
    for (const channel of ids) await messages.put({ key: `${channel}:${n}`, channel, view: says(words(n)) });
    await pass();
  }
  expect(await store.messages.pending()).toBe(perChannel * channels.length);
  const refused = await store.messages.find(`${ids[0]}:0`);
  expect(refused?.attempts).toBeGreaterThan(3);
  sim.setDown(false);
  const startedAt = performance.now();
  let passes = 0;
  while ((await store.messages.pending()) > 0 && performance.now() - startedAt < 60_000) {
    passes++;
    await messages.put({ key: 'knock', channel: ids[0] ?? '', view: says(`knock ${passes}`) });
    await pass();
  }
  for (const name of channels) {
    const texts = sim.messages(`#${name}`).map(({ text }) => text);
    const received = texts.filter((text) => text.startsWith('minute'));
    expect(received).toEqual(Array.from({ length: perChannel }, (_, n) => words(n)));
  }
  report('an hour without Slack (simulated clock)', {
    'messages held': perChannel * channels.length,
    'tries of the first': refused?.attempts ?? 0,
    'minutes after its return until all were there': passes,
    'lost, twice, out of order': 0,
  });
});
