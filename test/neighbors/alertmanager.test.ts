import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { makeHookAlone, minute, openHooks, openWatch, type Watch } from '../alerts/support.ts';
import { ops } from '../support/bot/fake-slack.ts';
import { openProxy } from '../support/process/tcp-proxy.ts';
import { patienceMs } from '../support/suite/patience.ts';
import { hasNeighbors, startAlertmanager, startPrometheus } from './debian.ts';

/** Slack shows the state that Prometheus sees, through stalls, pairs and returns. */

const isThere = hasNeighbors();

/** A target for Prometheus, which can be taken away. */
async function openTarget() {
  const port = await freePort();
  const server = createServer((_, response) => {
    response.end('up_since 1\n');
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return { port, close, open: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)) };
}

async function openStory() {
  const bot = await openWatch({});
  const { port } = await openHooks(bot);
  const { url, id } = await makeHookAlone(bot, 'alertmanager');
  const states = await openStates(bot, `hook:${id}`, `http://127.0.0.1:${port}${url}`);
  return { bot, ...states };
}

type State = 'none' | 'open' | 'over';

/** Between Alertmanager and the bot: the state after each post, since two posts may follow each other at once. */
async function openStates(bot: Watch, rule: string, to: string) {
  const states: State[] = [];
  const server = createServer(async (request, response) => {
    const { 'content-type': type = '' } = request.headers;
    const answer = await fetch(to, { method: 'POST', headers: { 'content-type': type }, body: await text(request) });
    states.push(await stateOf(bot, rule));
    response.writeHead(answer.status).end(await answer.text());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  let looked = 0;
  return {
    hook: `http://127.0.0.1:${port}/`,
    /** Waits for a state that the test has not seen yet. */
    sees: async (wanted: State) => {
      await expect
        .poll(() => states.indexOf(wanted, looked), { message: `it is never ${wanted}` })
        .toBeGreaterThanOrEqual(0);
      looked = states.indexOf(wanted, looked) + 1;
    },
    /** Waits until Alertmanager has repeated the state twice in a row. */
    repeats: async (wanted: State) => {
      const from = states.length;
      const isRepeated = () => states.length >= from + 2 && states.slice(-2).every((state) => state === wanted);
      await expect.poll(isRepeated, { message: `it is not repeated that it is ${wanted}` }).toBe(true);
      looked = states.length;
    },
    /** Waits until the state has lasted for three seconds, in which Alertmanager would post another one. */
    stays: async (wanted: State) => {
      const begunAt = performance.now();
      for (let since = begunAt; performance.now() - since < 3_000; await sleep(50)) {
        if ((await stateOf(bot, rule)) === wanted) continue;
        since = performance.now();
        if (since - begunAt > patienceMs)
          throw new Error(`it does not stay ${wanted}: ${states.join()}\n${bot.story()}`);
      }
      looked = states.length;
    },
  };
}

/** Open, ended, or ended and held back because the alert flapped. */
async function stateOf(bot: Watch, rule: string): Promise<State> {
  const [row] = await bot.database.run(
    `select resolved_at, calm_since from alerts where channel = '${ops}' and rule = '${rule}' order by opened_at desc`,
  );
  if (row === undefined) return 'none';
  return row.resolved_at === null && row.calm_since === null ? 'open' : 'over';
}

test.skipIf(!isThere)('an alert that ended while Prometheus stalled opens again when that is back', async () => {
  const { bot, hook, sees, repeats } = await openStory();
  const target = await openTarget();
  const alertmanager = await startAlertmanager(hook);
  const prometheus = await startPrometheus(target.port, [alertmanager.port]);
  await sees('open');
  prometheus.signal('SIGSTOP');
  // Nobody repeats the alert: Alertmanager ends it by itself.
  await sees('over');
  prometheus.signal('SIGCONT');
  await sees('open');
  // Repeats change nothing.
  await repeats('open');
  await bot.until(() => bot.transcript().includes('🟡 Down'));
  expect(bot.alerts().filter(({ threadTs }) => threadTs === null)).toHaveLength(1);

  // The alert ends for good, and comes back as a new one.
  await target.open();
  await sees('over');
  await bot.later(6 * minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅/);
  await target.close();
  await sees('open');
  expect(bot.log).toEqual([]);
});

test.skipIf(!isThere)('when one of two Alertmanagers loses Prometheus, the alert stays open', async () => {
  const { bot, hook, sees, repeats, stays } = await openStory();
  const target = await openTarget();
  const [first, second] = [await startAlertmanager(hook), await startAlertmanager(hook)];
  const wire = await openProxy(first.port);
  onTestFinished(wire.close);
  await startPrometheus(target.port, [wire.port, second.port]);
  await sees('open');
  wire.set('refused');
  wire.cut();
  // The first one ends it after four seconds; the second says within its repeat interval that it is still so.
  await sees('over');
  await sees('open');
  await repeats('open');
  wire.set('open');
  await target.open();
  await stays('over');
  expect(bot.alerts().filter(({ threadTs }) => threadTs === null)).toHaveLength(1);
});
