import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialects } from '../../src/store/dialect.ts';
import type { Schema } from '../../src/store/schema.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';

let folder: string;
let db: Kysely<Schema>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostler-without-disk-'));
  db = new Kysely<Schema>({
    dialect: createSqliteDialect(join(folder, 'hostler.db')),
    plugins: [new CamelCasePlugin()],
  });
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const synchronous = async (on: Kysely<Schema>) =>
  (await sql<{ synchronous: number }>`pragma synchronous`.execute(on)).rows[0]?.synchronous;
const [normal, full] = [1, 2];

test('only what may be lost when the power goes does not wait for the disk', async () => {
  expect(await synchronous(db)).toBe(full);
  const [inside, meanwhile] = await Promise.all([dialects.sqlite.withoutDisk(db, synchronous), synchronous(db)]);
  expect([inside, meanwhile]).toEqual([normal, full]);
});

test('the next commit waits for the disk again, also after one that did not go through', async () => {
  const broken = dialects.sqlite.withoutDisk(db, () => Promise.reject(new Error('no such table')));
  await expect(broken).rejects.toThrow('no such table');
  expect(await synchronous(db)).toBe(full);
});
