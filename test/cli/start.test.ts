import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../sandbox/free-port.ts';
import { keysFor } from '../../src/core/text/keys.ts';
import { openStore } from '../../src/store/database.ts';
import { newOperation } from '../store/rows.ts';
import { startBotProcess } from '../support/bot-process.ts';
import { openSimulators } from '../support/simulators.ts';

// A problem at the start is one clear line, and the exit code says that there was one.

async function setting() {
  const { provider, settings } = await openSimulators();
  const dir = await mkdtemp(join(tmpdir(), 'hostler-start-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    ...settings,
    DATABASE_URL: join(dir, 'hostler.db'),
    PORT: '0',
  };
  return { dir, env, provider };
}

function hostler(
  env: Record<string, string>,
  words: readonly string[] = [],
  signals = new EventTarget(),
): Promise<{ code: number | null; err: string; out: string }> {
  const child = spawn(process.execPath, ['dist/main.js', ...words], { env });
  const [err, out]: [string[], string[]] = [[], []];
  // Once: a second signal ends it at once.
  signals.addEventListener('SIGTERM', () => child.kill('SIGTERM'), { once: true });
  child.stderr.on('data', (chunk) => err.push(String(chunk)));
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve({ code, err: err.join(''), out: out.join('') }));
  });
}

test('hostler start with a wrong key names HOST_API_KEY', async () => {
  const { env } = await setting();
  const ended = await hostler({ ...env, HOST_API_KEY: 'AAAAAAAA.BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' });
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toBe(
    'starting: the provider refuses HOST_API_KEY: Authentication credentials were not provided. Make a new key in its panel and set it.',
  );
  expect(ended.err).not.toContain('BBBBBBBB');
});

test('hostler start with a wrong address of the API names HOST_API_URL', async () => {
  const { env, provider } = await setting();
  const ended = await hostler({ ...env, HOST_API_URL: provider.url.replace('/api', '/nowhere') });
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(/^starting: HOST_API_URL does not lead to the provider's API: /);
});

test('hostler start without an answer of Slack says what to do, and nothing about the token', async () => {
  const { env } = await setting();
  const ended = await hostler({ ...env, SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` });
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(
    /^starting: asking Slack who the bot is: Slack did not answer: .+\. Check that this machine reaches Slack; status\.slack\.com shows whether Slack is down\.$/,
  );
});

test('hostler start says why it cannot make the directory of the database', async () => {
  const { env, dir } = await setting();
  await writeFile(join(dir, 'file'), '');
  const ended = await hostler({ ...env, DATABASE_URL: join(dir, 'file', 'hostler.db') });
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(/^using SQLite .* a part of the path is a file/);
});

test('a bot whose key did not sign the audit does not start, and the audit stays signed', async () => {
  const { env, dir } = await setting();
  const key = Buffer.from(env.HOSTLER_SECRET_KEY ?? '', 'base64');
  const auditKeys = keysFor([key], 'audit head');
  const store = await openStore(join(dir, 'hostler.db'), { auditKeys });
  onTestFinished(() => store.close());
  await store.audit.append({ kind: 'test', text: 'signed' });
  const ended = await hostler({ ...env, HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') });
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(
    /^opening SQLite .*: HOSTLER_SECRET_KEY is not the key that the audit in this database is signed with: set that key, or give it as HOSTLER_SECRET_KEY_PREVIOUS$/,
  );
  expect(await store.audit.verify()).toMatchObject({ ok: true, count: 1 });
});

test('a bot whose audit was removed does not start, and says what an admin can do', async () => {
  const { env, dir } = await setting();
  const auditKeys = keysFor([Buffer.from(env.HOSTLER_SECRET_KEY ?? '', 'base64')], 'audit head');
  const store = await openStore(join(dir, 'hostler.db'), { auditKeys });
  await store.audit.append({ kind: 'test', text: 'signed' });
  await store.operations.insert(newOperation({ id: 'a' }), []);
  await store.close();
  const database = new DatabaseSync(join(dir, 'hostler.db'));
  onTestFinished(() => database.close());
  database.exec(`delete from audit; update audit_head set seq = 0, hash = '${'0'.repeat(64)}', signature = null`);
  const ended = await hostler(env);
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(
    /^opening SQLite .*: the audit is empty or ends too early, and other rows beside it show that its rows were removed: restore a backup, or run hostler rotate --sign-anew, which adds/,
  );
  expect(database.prepare('select seq, signature from audit_head').get()).toEqual({ seq: 0, signature: null });
});

test('hostler start names a corrupt SQLite file', async () => {
  const { env, dir } = await setting();
  await writeFile(
    join(dir, 'hostler.db'),
    'this is no database, and it is long enough to be looked at as one'.repeat(100),
  );
  const ended = await hostler(env);
  expect(ended.code).toBe(1);
  expect(ended.err.trim().split('\n').at(-1)).toMatch(/hostler\.db/);
});

test('hostler start with a PostgreSQL that is offline ends with one line, without the password', async () => {
  const { env } = await setting();
  const ended = await hostler({
    ...env,
    DATABASE_URL: `postgres://hostler:s3cret-canary@127.0.0.1:${await freePort()}/hostler`,
  });
  expect(ended.code).toBe(1);
  expect(ended.err).not.toContain('s3cret-canary');
  expect(ended.err.trim().split('\n')).toHaveLength(1);
});

test('a bot that is stopped ends after its last log line, although a library has left a timer', async () => {
  const { env } = await setting();
  const leaves = 'setInterval(() => {}, 60_000)';
  const bot = await startBotProcess({ ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURI(leaves)}` });
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(bot.log.at(-1)?.msg).toBe('stopped');
});

test('a bot that is stopped while it starts ends as if it had been ready', async () => {
  const { env } = await setting();
  const signals = new EventTarget();
  const hesitant = createServer((_, answer) => {
    signals.dispatchEvent(new Event('SIGTERM'));
    answer.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void hesitant.close());
  await once(hesitant, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = hesitant.address() as AddressInfo;
  const ended = await hostler({ ...env, HOST_API_URL: `http://127.0.0.1:${port}/api` }, [], signals);
  expect(ended.code).toBe(0);
  expect(z.object({ msg: z.string() }).parse(JSON.parse(ended.err.trim().split('\n').at(-1) ?? '')).msg).toBe(
    'stopped',
  );
});

test('wrong settings are all reported at once with exit code 78, and the sandbox does not start instead', async () => {
  const ended = await hostler({ PATH: process.env.PATH ?? '', SLACK_BOT_TOKEN: 'not-a-token', PORT: 'x' });
  expect(ended.code).toBe(78);
  const names = ended.err
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  expect(names).toEqual(
    expect.arrayContaining([
      'SLACK_BOT_TOKEN',
      'HOST_API_URL',
      'HOST_API_KEY',
      'HOSTLER_ADMINS',
      'HOSTLER_SECRET_KEY',
      'PORT',
    ]),
  );
  expect(ended.err).not.toContain('not-a-token');
});

test('hostler version prints the version, --help prints the help, and an unknown subcommand is an error', async () => {
  const env = { PATH: process.env.PATH ?? '' };
  expect(await hostler(env, ['version'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^hostler \d+\.\d+\.\d+\n$/),
  });
  expect(await hostler(env, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('SLACK_BOT_TOKEN') });
  expect(await hostler(env, ['policy', '--help'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('hostler policy apply FILE'),
  });
  expect(await hostler(env, ['nonsense'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no subcommand nonsense.'),
  });
});
