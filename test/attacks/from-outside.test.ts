import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { errorView } from '../../src/engine/context/error-view.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { openServer } from '../../src/http/server.ts';
import { openStore } from '../../src/store/database.ts';
import { suggested } from '../engine/told.ts';
import { people } from '../support/bot/fake-slack.ts';
import { startTestBot } from '../support/bot/test-bot.ts';
import { newFolder } from '../support/process/new-folder.ts';

// Strangers who reach a port, and the data that they could read or fill.

const token = '0123456789abcdef0123456789abcdef';

async function listener(readers: { isLocal: boolean; token: string | undefined }) {
  const bot = await startTestBot();
  let counted = 0;
  const { countByState } = bot.store.operations;
  Object.assign(bot.store.operations, {
    countByState: () => {
      counted++;
      return countByState();
    },
  });
  const errors: unknown[] = [];
  const bodies = { begun: 0, ended: 0 };
  const routes = createRoutes({
    metrics: createMetrics(),
    processMetrics: new Registry(),
    store: bot.store,
    running: { ...(bot.replicas[0] as NonNullable<(typeof bot.replicas)[number]>) },
    slackState: () => undefined,
    watchdog: { problem: () => undefined },
    now: bot.now,
    owner: 'this',
  })(readers);
  const post = {
    method: 'POST',
    path: '/slow',
    handler: async (request: AsyncIterable<Buffer>) => {
      bodies.begun++;
      try {
        for await (const _ of request) void _;
      } finally {
        bodies.ended++;
      }
    },
  } as const;
  const server = await openServer([...routes, post], { port: 0, host: '127.0.0.1' }, (error) => errors.push(error));
  onTestFinished(() => server.close(0));
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return { get, port: server.port, errors, bodies, counted: () => counted };
}

test('a stranger cannot read /metrics, or why the bot is not ready', async () => {
  const { get } = await listener({ isLocal: false, token });
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', { authorization: `Bearer ${token}x` })).status).toBe(401);
  expect((await get('/metrics', { authorization: token })).status).toBe(401);
  expect(await get('/readyz')).toEqual({ status: 503, text: 'not ready\n' });
  expect((await get('/healthz')).status).toBe(200);
  const read = await get('/metrics', { authorization: `Bearer ${token}` });
  expect(read.text).toContain('hostler_event_loop_delay_seconds');
  expect((await get('/readyz', { authorization: `Bearer ${token}` })).text).toContain('Slack: not connected yet');
});

test('without a configured token nobody from outside can read /metrics', async () => {
  const { get } = await listener({ isLocal: false, token: undefined });
  expect((await get('/metrics', { authorization: 'Bearer ' })).status).toBe(401);
  expect((await get('/metrics', { authorization: 'Bearer undefined' })).status).toBe(401);
});

test('a hundred simultaneous readers of /metrics cause one count of the operations', async () => {
  const { get, counted } = await listener({ isLocal: true, token: undefined });
  // The count is cached for a moment, which is longer than all of the reads.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all(Array.from({ length: 100 }, () => get('/metrics')));
  expect(counted()).toBe(1);
});

test('Socket Mode without webhooks listens on this machine only', () => {
  const host = (more: object) => {
    const provider = { HOST_API_URL: 'https://api.example', HOST_API_KEY: 'a-key-of-the-provider' };
    const own = { HOSTLER_ADMINS: 'U012AB3CD', HOSTLER_SECRET_KEY: '0123456789abcdef'.repeat(4) };
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1-2-3', SLACK_APP_TOKEN: 'xapp-1-2-3' };
    const reading = readConfig({ ...slack, ...provider, ...own, ...more });
    return reading.kind === 'live' ? reading.config.slack.host : reading;
  };
  expect(host({})).toBe('127.0.0.1');
  expect(host({ HOSTLER_PUBLIC_URL: 'https://hostler.example' })).toBe('0.0.0.0');
  expect(host({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: '0123456789abcdef' })).toBe('0.0.0.0');
});

test('connections that are dropped in the middle of their body add no line to the log', async () => {
  const { get, port, errors, bodies } = await listener({ isLocal: true, token: undefined });
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  for (const socket of sockets) socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf');
  await expect.poll(() => bodies.begun).toBe(50);
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(() => bodies.ended).toBe(50);
  expect((await get('/healthz')).status).toBe(200);
  expect(errors).toEqual([]);
});

test('no line of the log has the words that a person typed, after any failure', () => {
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`);
  const log = { debug: note, info: note, warn: note, error: note };
  for (const error of [new StoreUnavailable('away'), new Error('a bug')])
    errorView(error, 'dns set example.com _acme TXT my-typed-secret', log);
  expect(lines).toHaveLength(2);
  expect(lines.join('\n')).not.toContain('my-typed-secret');
});

test('opening Home as fast as a program can is limited: Home is no longer read', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 1 } });
  const homes = [];
  for (let n = 0; n < 15; n++) homes.push((await bot.replicas[0]?.engine.home(people.operator ?? ''))?.summary);
  expect(homes.filter((summary) => summary === 'Wait a minute, then open this again.')).toHaveLength(5);
});

test('searching as fast as a program can is limited: nothing more is found', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 1 } });
  const form = await bot.open('operator', { line: 'status' });
  const found = [];
  for (let n = 0; n < 15; n++) found.push((await suggested(bot, 'operator', form, 'any-servers')).length > 0);
  expect(found).toEqual([...Array(10).fill(true), ...Array(5).fill(false)]);
});

test('other users of the machine cannot read any file of the database', async () => {
  const dir = await newFolder('modes');
  const before = process.platform === 'win32' ? 0 : process.umask?.();
  expect(before).toBeTypeOf('number');
  const store = await openStore(join(dir, 'hostler.db'));
  await store.audit.append({ kind: 'asked', text: 'x' });
  const files = await readdir(dir);
  expect(files).toContain('hostler.db-wal');
  for (const file of files) expect([file, (await stat(join(dir, file))).mode & 0o077]).toEqual([file, 0]);
  await store.close();
});
