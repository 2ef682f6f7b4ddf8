import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { makeHookAlone, minute, openHooks, openWatch, type Watch } from '../alerts/support.ts';
import { ops } from '../support/fake-slack.ts';
import { hasNeighbors, startAlertmanager, startPrometheus } from './debian.ts';

/** Slack shows what Prometheus sees, through stalls, pairs and returns. */

const isThere = hasNeighbors();

/** Something for Prometheus to look at, which can be taken away. */
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

/** A wire to an Alertmanager that can be cut. */
async function openWire(to: number) {
  const sockets = new Set<Socket>();
  const state = { isCut: false };
  const server = createTcpServer((socket) => {
    if (state.isCut) return socket.destroy();
    const far = connect(to, '127.0.0.1');
    for (const one of [socket, far]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
    socket.pipe(far).pipe(socket);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    drop();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port,
    cut: () => {
      state.isCut = true;
      drop();
    },
    mend: () => {
      state.isCut = false;
    },
  };
}

async function openStory() {
  const bot = await openWatch({});
  const { port } = await openHooks(bot);
  const { url, id } = await makeHookAlone(bot, 'alertmanager');
  return { bot, hook: `http://127.0.0.1:${port}${url}`, rule: `hook:${id}` };
}

/** Open, ended, or ended and waited for because it was on and off. */
async function stateOf(bot: Watch, rule: string): Promise<'none' | 'open' | 'over'> {
  const [row] = await bot.database.run(
    `select resolved_at, calm_since from alerts where channel = '${ops}' and rule = '${rule}' order by opened_at desc`,
  );
  if (row === undefined) return 'none';
  return row.resolved_at === null && row.calm_since === null ? 'open' : 'over';
}

async function untilIs(bot: Watch, rule: string, wanted: 'open' | 'over', withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while ((await stateOf(bot, rule)) !== wanted) {
    if (Date.now() > deadline) throw new Error(`it is ${await stateOf(bot, rule)} and not ${wanted}: ${bot.story()}`);
    await sleep(100);
  }
}

test.skipIf(!isThere)(
  'an alert that Alertmanager ended while Prometheus stalled is open again when Prometheus comes back',
  async () => {
    const { bot, hook, rule } = await openStory();
    const target = await openTarget();
    const alertmanager = await startAlertmanager(hook);
    const prometheus = await startPrometheus(target.port, [alertmanager.port]);
    await untilIs(bot, rule, 'open');
    prometheus.signal('SIGSTOP');
    // Nobody repeats the alert: Alertmanager ends it by itself.
    await untilIs(bot, rule, 'over');
    prometheus.signal('SIGCONT');
    await untilIs(bot, rule, 'open');
    // Repeats change nothing.
    await sleep(4_000);
    expect(await stateOf(bot, rule)).toBe('open');
    await bot.until(() => bot.transcript().includes('🟡 Down'));
    expect(bot.alerts().filter(({ threadTs }) => threadTs === null)).toHaveLength(1);

    // It ends in earnest, and comes back as a new alarm.
    await target.open();
    await untilIs(bot, rule, 'over');
    await bot.later(6 * minute);
    expect(bot.alerts()[0]?.view.summary).toMatch(/^✅/);
    await target.close();
    await untilIs(bot, rule, 'open');
    expect(bot.log).toEqual([]);
  },
);

test.skipIf(!isThere)('when one of two Alertmanagers loses Prometheus, the alert stays open', async () => {
  const { bot, hook, rule } = await openStory();
  const target = await openTarget();
  const [first, second] = [await startAlertmanager(hook), await startAlertmanager(hook)];
  const wire = await openWire(first.port);
  await startPrometheus(target.port, [wire.port, second.port]);
  await untilIs(bot, rule, 'open');
  wire.cut();
  // The first one ends it after four seconds; the second says within its repeat interval that it is still so.
  await untilIs(bot, rule, 'over');
  await untilIs(bot, rule, 'open');
  await sleep(4_000);
  expect(await stateOf(bot, rule)).toBe('open');
  wire.mend();
  await target.open();
  await untilIs(bot, rule, 'over');
  await sleep(4_000);
  expect(await stateOf(bot, rule)).toBe('over');
  expect(bot.alerts().filter(({ threadTs }) => threadTs === null)).toHaveLength(1);
});
