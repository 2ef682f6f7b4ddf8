import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../../../src/store/schema.ts';
import { createSqliteDialect } from '../../../src/store/sqlite/dialect.ts';

let folder: string;
let file: string;
let db: Kysely<Schema>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostler-group-commit-'));
  file = join(folder, 'hostler.db');
  db = new Kysely<Schema>({ dialect: createSqliteDialect(file), plugins: [new CamelCasePlugin()] });
  await sql`create table numbers (n integer primary key)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const put = (n: number) => sql`insert into numbers values (${n})`.execute(db);
/** Begins on a new line, as long statements in the source do. */
const putOnNewLine = (n: number) =>
  sql`
    insert into numbers values (${n})`.execute(db);
const all = async () => (await sql<{ n: number }>`select n from numbers order by n`.execute(db)).rows.map(({ n }) => n);

/** Frames of the write-ahead log that end a transaction (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function commits(): number {
  const log = readFileSync(`${file}-wal`);
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
  const broken = db.transaction().execute(async (transaction) => {
    await sql`insert into numbers values (1)`.execute(transaction);
    inside.resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error('changed its mind');
  });
  await inside.promise;
  const meanwhile = put(2);
  await expect(broken).rejects.toThrow('changed its mind');
  await meanwhile;
  expect(await all()).toEqual([2]);
});

const putInTransaction = (n: number, then = async (_transaction: Kysely<Schema>) => {}) =>
  db.transaction().execute(async (transaction) => {
    await sql`insert into numbers values (${n})`.execute(transaction);
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
