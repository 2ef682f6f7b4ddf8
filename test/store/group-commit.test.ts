import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../../src/store/schema.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';

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
const all = async () => (await sql<{ n: number }>`select n from numbers order by n`.execute(db)).rows.map(({ n }) => n);

/** Frames of the write-ahead log that end a transaction (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function commits(): number {
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) count += 1;
  return count;
}

test('writes of one turn of the event loop share a commit, and are there when they are answered', async () => {
  const before = commits();
  await Promise.all([put(1), put(2), put(3)]);
  expect(commits() - before).toBe(1);
  expect(await all()).toEqual([1, 2, 3]);
  await put(4);
  await put(5);
  expect(commits() - before).toBe(3);
});

test('a write that fails takes none of the others with it', async () => {
  await put(2);
  const outcomes = await Promise.allSettled([put(1), put(2), put(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await all()).toEqual([1, 2, 3]);
});

test('a transaction has the file to itself: what is written meanwhile is not rolled back with it', async () => {
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
