import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { decide } from '../asked.ts';
import { messagesOf, wordsOf } from '../told.ts';

/**
 * A new password is read by one person, once. Afterwards every byte that Hostler left on a disk is searched for it: the
 * database and its write-ahead log, every row as text, all messages and the log.
 */

const minute = 60_000;

/** The files of this database, whole: what was deleted from a page is still in its bytes. */
async function files(bot: TestBot): Promise<Map<string, Buffer>> {
  const { url, engine } = bot.database;
  if (engine === 'sqlite') return read(dirname(url), (name) => name.startsWith(basename(url)));
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
  if (bot.database.engine === 'sqlite') return '';
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

test.each(engines)('on %s, a password is only in the dialog that showed it to the person who asked', async (engine) => {
  const bot = await startTestBot({ engine });
  await decide(bot, 'password web-1', 'lead', 'Approve');
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
  if (engine === 'postgres') expect(text).toContain('Reset the root password of web-1');
  expect(text).not.toContain(password);
  expect(JSON.stringify(bot.posted)).not.toContain(password);
  expect(bot.log.join('\n')).not.toContain(password);
});

test('after ten minutes nothing offers a password that nobody opened, and a late press says so', async ({ bot }) => {
  await decide(bot, 'password web-1', 'lead', 'Approve');
  const message = () => wordsOf(bot, messagesOf(bot, 'secret')[0]?.view);
  await bot.until(() => message() !== '', 'the message with the button');
  const { intent } = bot.findButton('Reveal once').button;
  const sealed = () => bot.database.run('select id from secrets');
  bot.skip(9 * minute);
  await bot.replicas[0]?.sweep();
  expect(message()).toContain('[Reveal once]');
  expect(await sealed()).toHaveLength(1);
  bot.skip(2 * minute);
  await bot.replicas[0]?.sweep();
  expect(await sealed()).toEqual([]);
  await bot.until(() => !message().includes('[Reveal once]'), 'the button to go');
  expect(message()).toBe('The new root password of web-1 was not shown in time, and can no longer be shown.');
  expect(await bot.open('operator', { intent })).toMatchObject({
    summary: expect.stringContaining('It is gone. Ask for a new one'),
  });
});
