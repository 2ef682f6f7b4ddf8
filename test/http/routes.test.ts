import { Registry } from 'prom-client';
import { test } from 'vitest';
import type { ConnectionState } from '../../src/engine/context/ports.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { openServer } from '../../src/http/server.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

// Ready means that a request can run; alive means that sweeps and turns end.

/** Slack is connected, the database accepts writes and no loop hangs, until a test changes that. */
async function openListener(atEnd: (close: () => Promise<void>) => void) {
  const bot = await startTestBot({ atEnd });
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('the bot has a replica');
  const { leases } = bot.store;
  const state = { standsStill: undefined as string | undefined, isReady: true, write: leases.acquire };
  const slack: Omit<ConnectionState, 'isReady'> = {
    mode: 'socket',
    running: 0,
    sending: 0,
    waitingChannels: 0,
    sockets: { connected: 2, wanted: 2 },
    lastError: undefined,
    revoked: undefined,
  };
  const routes = createRoutes({
    metrics: createMetrics(),
    processMetrics: new Registry(),
    store: { ...bot.store, leases: { ...leases, acquire: (...claim) => state.write(...claim) } },
    running: replica,
    slackState: () => ({ ...slack, isReady: state.isReady }),
    watchdog: { problem: () => state.standsStill },
    now: bot.now,
    owner: 'this',
  })({ isLocal: true, token: undefined });
  const server = await openServer(routes, { port: 0, host: '127.0.0.1' }, () => {});
  atEnd(() => server.close(0));
  /** Answers are cached for a moment. */
  const until = async (path: string, status: number) => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
      const text = await answer.text();
      if (answer.status === status) return text;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { state, until };
}

type State = Awaited<ReturnType<typeof openListener>>['state'];

test.concurrent.for<[what: string, change: Partial<State>, says: string]>([
  ['the engine stands still', { standsStill: 'stalled: no sweep has ended for 61 s' }, 'no sweep has ended'],
  ['Slack is not connected', { isReady: false }, 'no socket is connected'],
  [
    'the database takes no write',
    { write: () => Promise.reject(new Error('PostgreSQL: it is read-only')) },
    'read-only',
  ],
  [
    'a connection of the database went silent and answers nothing at all',
    { write: () => new Promise(() => {}) },
    'no answer within 3 s',
  ],
])('/readyz says no while %s', async ([, change, says], { expect, onTestFinished }) => {
  const { state, until } = await openListener(onTestFinished);
  const whole = { ...state };
  expect(await until('/readyz', 200)).toBe('ready\n');
  Object.assign(state, change);
  expect(await until('/readyz', 503)).toContain(says);
  Object.assign(state, whole);
  await until('/readyz', 200);
});

test.concurrent('/healthz answers 503 while the engine makes no progress', async ({ expect, onTestFinished }) => {
  const { state, until } = await openListener(onTestFinished);
  state.standsStill = 'stalled: no sweep has ended for 61 s';
  expect(await until('/healthz', 503)).toContain('no sweep has ended');
  state.standsStill = undefined;
  expect(await until('/healthz', 200)).toBe('alive\n');
});
