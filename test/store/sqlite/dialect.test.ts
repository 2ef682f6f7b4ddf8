import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Schema } from '../../../src/store/schema.ts';
import { createSqliteDialect } from '../../../src/store/sqlite/dialect.ts';
import { freshDatabase, type TestDatabase } from '../../support/database/databases.ts';

let file: TestDatabase;
let db: Kysely<Schema>;
beforeEach(async () => {
  file = await freshDatabase('sqlite');
  db = new Kysely<Schema>({ dialect: createSqliteDialect(file.url), plugins: [new CamelCasePlugin()] });
  await sql`create table numbers (n integer primary key)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  await file.drop();
});

const put = (n: number, onto = db) => sql`insert into numbers values (${n})`.execute(onto);
/** Begins on a new line, as long statements in the source do. */
const putOnNewLine = (n: number) =>
  sql`
    insert into numbers values (${n})`.execute(db);
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const all = async () => (await sql<{ n: number }>`select n from numbers order by n`.execute(db)).rows.map(({ n }) => n);

/** Frames of the write-ahead log that end a transaction (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function commits(): number {
  const log = readFileSync(`${file.url}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) count += 1;
  return count;
}

test('writes of one turn of the event loop share a commit, and are stored when they return', async () => {
  const before = commits();
  await Promise.all([put(1), put(2), put(3)]);
  expect(commits() - before).toBe(1);
  expect(await all()).toEqual([1, 2, 3]);
  await put(4);
  await put(5);
  expect(commits() - before).toBe(3);
  await Promise.all([putOnNewLine(6), put(7), putOnNewLine(8)]);
  expect(commits() - before).toBe(4);
});

test('a write that fails does not fail the writes that share its commit', async () => {
  await put(2);
  const outcomes = await Promise.allSettled([put(1), put(2), put(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await all()).toEqual([1, 2, 3]);
});

test('a transaction has the file alone: its rollback keeps what others write meanwhile', async () => {
  const inside = Promise.withResolvers<void>();
  const hasTried = Promise.withResolvers<void>();
  const broken = db.transaction().execute(async (transaction) => {
    await put(1, transaction);
    inside.resolve();
    await hasTried.promise;
    throw new Error('changed its mind');
  });
  await inside.promise;
  const meanwhile = put(2);
  // The other write would run in one of these turns of the event loop, if it did not wait.
  await turns();
  hasTried.resolve();
  await expect(broken).rejects.toThrow('changed its mind');
  await meanwhile;
  expect(await all()).toEqual([2]);
});

const putInTransaction = (n: number, then = async (_transaction: Kysely<Schema>) => {}) =>
  db.transaction().execute(async (transaction) => {
    await put(n, transaction);
    await then(transaction);
  });

test('a transaction that fails rolls back its own writes, and no other’s', async () => {
  const fail = () => Promise.reject(new Error('changed its mind'));
  const outcomes = await Promise.allSettled([
    putInTransaction(1, fail),
    put(2),
    putInTransaction(3),
    putInTransaction(4, fail),
    put(5),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await all()).toEqual([2, 3, 5]);
});

test('a read between transactions reads what is committed', async () => {
  const first = putInTransaction(1);
  const found = all();
  const second = putInTransaction(2);
  expect([[1], [1, 2]]).toContainEqual(await found);
  await Promise.all([first, second]);
});

test('a full disk fails all writes that share the commit, and later writes succeed', async () => {
  await sql`create table texts (n integer primary key, text text)`.execute(db);
  const pages = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]?.page_count ?? 0;
  await sql`pragma max_page_count = ${sql.lit(pages + 2)}`.execute(db);
  const putTooLong = (onto: Kysely<Schema>) => sql`insert into texts values (1, ${'x'.repeat(100_000)})`.execute(onto);
  const shared = await Promise.allSettled([put(1), putTooLong(db), put(2)]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(putInTransaction(3, async (transaction) => void (await putTooLong(transaction)))).rejects.toThrow(
    'the disk is full',
  );
  expect(await all()).toEqual([]);
  await sql`pragma max_page_count = 100000`.execute(db);
  await Promise.all([putInTransaction(4), put(5)]);
  expect(await all()).toEqual([4, 5]);
});

test('a long series of statements lets the event loop run in between', async () => {
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const until = performance.now() + 100;
  // Each statement waits only for the one before.
  while (rounds <= 3 && performance.now() < until) await all();
  isOver = true;
  expect(rounds).toBeGreaterThan(3);
});

test('while another process writes to the file, reads and the event loop continue, and then each write succeeds', async () => {
  // SQLite does not distinguish another process from another connection.
  const other = new DatabaseSync(file.url);
  other.exec('begin immediate');
  let written = 0;
  const writes = [put(1), sleep(50).then(() => Promise.all([put(2), put(3)]))];
  const whole = Promise.all([...writes, ...[4, 5, 6].map((n) => putInTransaction(n))]).then(() => (written = 6));
  let longestMs = 0;
  for (let round = 0; round < 30; round += 1) {
    const since = performance.now();
    await sleep(10);
    expect(await all()).toEqual([]);
    longestMs = Math.max(longestMs, performance.now() - since);
  }
  // A blocking wait takes five seconds.
  expect(longestMs).toBeLessThan(1_000);
  expect(written).toBe(0);
  other.exec('commit');
  other.close();
  await whole;
  expect(await all()).toHaveLength(6);
});

test('a write that another process prevents for five seconds fails with advice', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const other = new DatabaseSync(file.url);
  other.exec('begin immediate');
  let hasEnded = false;
  const writing = put(1).finally(() => (hasEnded = true));
  writing.catch(() => undefined);
  await turns();
  vi.advanceTimersByTime(4_999);
  // Time for two attempts.
  await sleep(50);
  expect(hasEnded).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(writing).rejects.toThrow('another process keeps it locked');
  other.close();
  await put(2);
  expect(await all()).toEqual([2]);
});
