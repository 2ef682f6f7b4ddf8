import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionState } from '../../src/engine/context/ports.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { openServer } from '../../src/http/server.ts';
import { startTestBot } from '../support/test-bot.ts';

// Ready means that what a request needs is there; alive means that sweeps and turns come to their end.

/** Slack is connected, the database takes writes and nothing stands still, until a test says otherwise. */
async function listener() {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('the bot has a replica');
  const { liveness } = bot.store;
  const { write } = liveness;
  const state = { standsStill: undefined as string | undefined, isReady: true, write: write };
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
    store: { ...bot.store, liveness: { ...liveness, write: (owner) => state.write(owner) } },
    running: replica,
    slackState: () => ({ ...slack, isReady: state.isReady }),
    watchdog: { problem: () => state.standsStill },
    now: bot.now,
    owner: 'this',
  })({ isLocal: true, token: undefined });
  const server = await openServer(routes, { port: 0, host: '127.0.0.1' }, () => {});
  onTestFinished(() => server.close(0));
  /** Answers are remembered for a moment. */
  const until = async (path: string, status: number) => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
      const text = await answer.text();
      if (answer.status === status) return text;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { state, until, write };
}

test('ready says no while the engine stands still, Slack is not connected, or the database takes no write', async () => {
  const { state, until, write } = await listener();
  expect(await until('/readyz', 200)).toBe('ready\n');
  state.standsStill = 'standing still: no sweep has come to an end for 61 s';
  expect(await until('/readyz', 503)).toContain('no sweep has come to an end');
  expect(await until('/healthz', 503)).toContain('no sweep has come to an end');
  state.standsStill = undefined;
  expect(await until('/healthz', 200)).toBe('alive\n');
  await until('/readyz', 200);
  state.isReady = false;
  expect(await until('/readyz', 503)).toContain('no socket is connected');
  state.isReady = true;
  await until('/readyz', 200);
  state.write = async () => Promise.reject(new Error('PostgreSQL: it is read-only'));
  expect(await until('/readyz', 503)).toContain('read-only');
  state.write = write;
  await until('/readyz', 200);
  // A connection that went silent answers nothing at all.
  state.write = () => new Promise(() => {});
  expect(await until('/readyz', 503)).toContain('no answer within 3 s');
});
