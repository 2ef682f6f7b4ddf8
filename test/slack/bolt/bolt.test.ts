import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { App, type ReceiverEvent } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { createFakeLog, signed } from '../support.ts';

// Bolt without our code: each test fails when a file of src/slack/bolt is not needed.

const authorize = async () => ({ botToken: 'xoxb-bare', botId: 'B0', botUserId: 'U0', teamId: 'T0' });

function bareApp() {
  const app = new App({
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize,
    logger: { ...createFakeLog(), setLevel: () => {}, setName: () => {}, getLevel: () => 'error' as never },
  });
  const said: string[] = [];
  const send = (body: ReceiverEvent['body']) => app.processEvent({ body, ack: async () => void said.push('ack') });
  return { app, said, send };
}

test('every-payload.ts: Bolt does not acknowledge a payload without a listener', async () => {
  const { app, said, send } = bareApp();
  app.command('/host', async ({ ack }) => ack());
  const command = { command: '/other', text: '', user_id: 'U1', channel_id: 'C1', team_id: 'T0', trigger_id: '1' };
  await send(command);
  expect(said).toEqual([]);
  await send({ ...command, command: '/host' });
  expect(said).toEqual(['ack']);
});

test('late-acknowledgement.ts: Bolt acknowledges an event before any listener has handled it', async () => {
  const { app, said, send } = bareApp();
  app.use(async ({ next }) => {
    said.push('middleware');
    await next();
  });
  const event = { type: 'app_mention', user: 'U1', text: 'hello', channel: 'C1', ts: '1.1' };
  await send({ type: 'event_callback', event_id: 'Ev1', team_id: 'T0', event });
  expect(said).toEqual(['ack', 'middleware']);
});

test('guard-payloads.ts: Bolt throws at an event that is no object, and does not acknowledge it', async () => {
  const { said, send } = bareApp();
  await expect(send({ type: 'event_callback', event_id: 'Ev1', team_id: 'T0', event: 'words' })).rejects.toThrow();
  expect(said).toEqual([]);
});

test('sockets.ts: Bolt ends the process when a token is refused during a reconnect', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const { process } = await startBare('socket', slack.apiUrl, slack.appToken);
  slack.sim.fault({ method: 'apps.connections.open', errorCode: 'invalid_auth' });
  slack.sim.dropSockets();
  expect(await endOf(process)).toContain('invalid_auth');
});

test('http-requests.ts: Bolt accepts a request that is signed for the future, and a signed null ends its process', async () => {
  const { process, port } = await startBare('http', '', 'secret');
  const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
  expect((await post(port, '{"type":"url_verification","challenge":"c"}', inAnHour)).status).toBe(200);
  expect((await post(port, '{"type":"url_verification","challenge":"c"}', inAnHour - 7_200)).status).toBe(401);
  void post(port, 'null', Math.floor(Date.now() / 1_000)).catch(() => {});
  expect(await endOf(process)).toContain('TypeError');
});

type Bare = ChildProcessByStdio<null, Readable, Readable>;

async function startBare(...argv: readonly string[]): Promise<{ process: Bare; port: number }> {
  const script = join(import.meta.dirname, 'bare.ts');
  const started = spawn(process.execPath, [script, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void started.kill('SIGKILL'));
  started.stdout.setEncoding('utf8');
  let said = '';
  for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const port = /^ready (\d+)$/m.exec(said)?.[1];
    if (port !== undefined) return { process: started, port: Number(port) };
  }
  throw new Error(`bare Bolt did not start: ${said}`);
}

/** The output of a process that ends by itself, with an error. */
async function endOf(started: Bare): Promise<string> {
  let said = '';
  started.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(started, 'close');
  expect(code).toBe(1);
  return said;
}

const post = (port: number, body: string, at: number) =>
  fetch(`http://127.0.0.1:${port}/slack/events`, signed(body, 'secret', { at, type: 'json' }));
