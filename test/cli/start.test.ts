import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { keysFor } from '../../src/core/text/keys.ts';
import { openStore } from '../../src/store/database.ts';
import { newOperation } from '../store/rows.ts';
import { startBotProcess } from '../support/process/bot-process.ts';
import { listeningPort } from '../support/process/listening-port.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { runInPlace } from './in-place.ts';

// A problem at the start is one clear line, and the exit code says that there was one.

async function setting() {
  const { provider, settings } = await openSimulators();
  const dir = await newFolder('start');
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    ...settings,
    DATABASE_URL: join(dir, 'hostler.db'),
    PORT: '0',
  };
  return { dir, env, provider };
}

/** A start in this process that fails. */
const failed = (dir: string, env: Record<string, string>) => runInPlace(dir, { ...env, LOG_LEVEL: 'silent' }, []);

type Place = Awaited<ReturnType<typeof setting>>;

type Settings = Record<string, string>;

/** Each problem, and the line that names it. */
const problems: Readonly<Record<string, readonly [(place: Place) => Settings | Promise<Settings>, RegExp]>> = {
  'a wrong key': [
    () => ({ HOST_API_KEY: 'AAAAAAAA.canary-BBBBBBBBBBBBBBBBBBBBBBBBBB' }),
    /^starting: the provider refuses HOST_API_KEY: Authentication credentials were not provided\. Make a new key in its panel and set it\.\n$/,
  ],
  'a wrong address of the API': [
    ({ provider }) => ({ HOST_API_URL: provider.url.replace('/api', '/nowhere') }),
    /^starting: HOST_API_URL does not lead to the provider's API: /,
  ],
  'a Slack that does not answer, and not the token': [
    async () => ({ SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` }),
    /^starting: asking Slack who the bot is: Slack did not answer: .+\. Check that this machine reaches Slack; status\.slack\.com shows whether Slack is down\.\n$/,
  ],
  'a directory of the database that cannot be made': [
    async ({ dir }) => {
      await writeFile(join(dir, 'file'), '');
      return { DATABASE_URL: join(dir, 'file', 'hostler.db') };
    },
    /^using SQLite .* a part of the path is a file/,
  ],
  'a corrupt SQLite file': [
    async ({ dir }) => {
      const words = 'this is no database, and it is long enough to be looked at as one';
      await writeFile(join(dir, 'hostler.db'), words.repeat(100));
      return {};
    },
    /hostler\.db/,
  ],
  'a PostgreSQL that is offline, without its password': [
    async () => ({ DATABASE_URL: `postgres://hostler:canary@127.0.0.1:${await freePort()}/hostler` }),
    /^(?=.*PostgreSQL)(?!.*canary)/,
  ],
};

test.each(Object.entries(problems))('hostler start names %s', async (_, [more, says]) => {
  const place = await setting();
  const { code, said } = await failed(place.dir, { ...place.env, ...(await more(place)) });
  expect(code).toBe(1);
  expect(said).toMatch(says);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(said).not.toContain('canary');
});

test('a bot whose key did not sign the audit, or whose audit was removed, does not start, and changes nothing', async () => {
  const { env, dir } = await setting();
  const auditKeys = keysFor([Buffer.from(env.HOSTLER_SECRET_KEY ?? '', 'base64')], 'audit head');
  const store = await openStore(join(dir, 'hostler.db'), { auditKeys });
  await store.audit.append({ kind: 'asked', text: 'signed' });
  const other = await failed(dir, { ...env, HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') });
  expect(other.code).toBe(1);
  expect(other.said).toMatch(
    /^opening SQLite .*: HOSTLER_SECRET_KEY is not the key that the audit in this database is signed with: set that key, or give it as HOSTLER_SECRET_KEY_PREVIOUS\n$/,
  );
  expect(await store.audit.verify()).toMatchObject({ ok: true, count: 1 });
  await store.operations.insert(newOperation({ id: 'a' }), []);
  await store.close();
  const database = new DatabaseSync(join(dir, 'hostler.db'));
  onTestFinished(() => database.close());
  database.exec(`delete from audit; update audit_head set seq = 0, hash = '${'0'.repeat(64)}', signature = null`);
  const removed = await failed(dir, env);
  expect(removed.code).toBe(1);
  expect(removed.said).toMatch(
    /^opening SQLite .*: the audit is empty or ends too early, and other rows beside it show that its rows were removed: restore a backup, or run hostler rotate --sign-anew, which adds/,
  );
  expect(database.prepare('select seq, signature from audit_head').get()).toEqual({ seq: 0, signature: null });
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
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  const hesitant = createServer((_, answer) => {
    resolve();
    setImmediate(() => answer.writeHead(503).end());
  });
  env.HOST_API_URL = `http://127.0.0.1:${await listeningPort(hesitant)}/api`;
  const child = spawn(process.execPath, ['dist/main.js'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Once: a second signal ends it at once.
  void isAsked.then(() => child.kill('SIGTERM'));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(0);
  expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toMatchObject({ msg: 'stopped' });
});
