import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';

/**
 * A new password is read by one person, once. Afterwards every byte that Hostler left on a disk is searched for it: the
 * database and its write-ahead log, every row as text, all messages and the log.
 */

const isPostgres = process.env.HOSTLER_TEST_ENGINE === 'postgres';

/** The files of this database, whole: what was deleted from a page is still in its bytes. */
async function files(bot: TestBot): Promise<Map<string, Buffer>> {
  const { url } = bot.database;
  if (!isPostgres) return read(dirname(url), (name) => name.startsWith(basename(url)));
  await bot.database.run('checkpoint');
  const [place] = await bot.database.run(
    `select current_setting('data_directory') as dir, oid from pg_database where datname = current_database()`,
  );
  const dir = String(place?.dir);
  const own = await read(join(dir, 'base', String(place?.oid)), () => true);
  return new Map([...own, ...(await read(join(dir, 'pg_wal'), (name) => /^[0-9A-F]{24}$/.test(name)))]);
}

async function read(dir: string, isWanted: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const names = (await readdir(dir)).filter(isWanted);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))] as const)));
}

/** PostgreSQL compresses long values, so its rows are read as text as well. */
async function rows(bot: TestBot): Promise<string> {
  if (!isPostgres) return '';
  const tables = await bot.database.run(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify(await bot.database.run(`select one::text from ${name} as one`))),
  );
  expect(texts.length).toBeGreaterThan(10);
  return texts.join('\n');
}

const itIsGone = { summary: expect.stringContaining('It is gone') };

test('a password is only in the dialog that showed it to the person who asked', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'password web-1');
  await bot.press('lead', 'Approve');
  await bot.settle();
  await bot.until(() => bot.transcript('U0OPERATOR').includes('It can be shown once'));
  expect(await bot.open('lead', { button: 'Reveal once' })).toMatchObject(itIsGone);
  const window = await bot.open('operator', { button: 'Reveal once' });
  const password = 'code' in window ? (window.code ?? '') : '';
  expect(password).toMatch(/^\S{8,}$/);

  const kept = await files(bot);
  // The search finds what is there.
  const isIn = (text: string) => [...kept].filter(([, bytes]) => bytes.includes(text)).map(([name]) => name);
  expect(isIn('Reset the root password of web-1').length).toBeGreaterThan(0);
  expect(isIn(password)).toEqual([]);
  expect(isIn(Buffer.from(password).toString('base64').replace(/=+$/, ''))).toEqual([]);

  const text = await rows(bot);
  if (isPostgres) expect(text).toContain('Reset the root password of web-1');
  expect(text).not.toContain(password);
  expect(JSON.stringify(bot.posted)).not.toContain(password);
  expect(bot.log.join('\n')).not.toContain(password);
});

test('a password that nobody reveals within ten minutes is deleted', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'password web-1');
  await bot.press('lead', 'Approve');
  await bot.settle();
  await bot.until(() => bot.transcript('U0OPERATOR').includes('It can be shown once'));
  const sealed = () => bot.database.run('select id from secrets');
  expect(await sealed()).toHaveLength(1);
  await bot.pass(10 * 60_000 + 1_000);
  await bot.replicas[0]?.sweep();
  expect(await sealed()).toEqual([]);
  await bot.until(() => !bot.transcript('U0OPERATOR').includes('Reveal once'), 'the message without its button');
});
