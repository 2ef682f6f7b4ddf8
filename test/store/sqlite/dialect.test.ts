import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Schema } from '../../../src/store/schema.ts';
import { createSqliteDialect } from '../../../src/store/sqlite/dialect.ts';
import { freshDatabase } from '../../support/databases.ts';

test('a long series of statements lets the event loop run in between', async () => {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(':memory:'), plugins: [new CamelCasePlugin()] });
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const until = performance.now() + 100;
  // Each statement waits only for the one before.
  while (performance.now() < until) await sql`select 1`.execute(db);
  isOver = true;
  expect(rounds).toBeGreaterThan(3);
  await db.destroy();
});

test('while another process writes to the file, reads and the event loop continue, and then each write succeeds', async () => {
  const database = await freshDatabase('sqlite');
  onTestFinished(database.drop);
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(database.url), plugins: [new CamelCasePlugin()] });
  await sql`create table written (n integer)`.execute(db);
  // SQLite does not distinguish another process from another connection.
  const other = new DatabaseSync(database.url);
  other.exec('begin immediate');
  const write = (n: number, onto = db) => sql`insert into written values (${n})`.execute(onto);
  let written = 0;
  const writes = [write(1), sleep(50).then(() => Promise.all([write(2), write(3)]))];
  const transactions = [4, 5, 6].map((n) => db.transaction().execute((transaction) => write(n, transaction)));
  const all = Promise.all([...writes, ...transactions]).then(() => (written = 6));
  let longestMs = 0;
  for (const until = performance.now() + 1_500; performance.now() < until; ) {
    const since = performance.now();
    await sleep(10);
    expect((await sql`select n from written`.execute(db)).rows).toEqual([]);
    longestMs = Math.max(longestMs, performance.now() - since);
  }
  // A blocking wait takes five seconds.
  expect(longestMs).toBeLessThan(1_000);
  expect(written).toBe(0);
  other.exec('commit');
  other.close();
  await all;
  expect((await sql`select n from written order by n`.execute(db)).rows).toHaveLength(6);
  await db.destroy();
});

test('a write that another process prevents for five seconds fails with advice', async () => {
  const database = await freshDatabase('sqlite');
  onTestFinished(database.drop);
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(database.url), plugins: [new CamelCasePlugin()] });
  await sql`create table written (n integer)`.execute(db);
  const other = new DatabaseSync(database.url);
  other.exec('begin immediate');
  await expect(sql`insert into written values (1)`.execute(db)).rejects.toThrow('another process keeps it locked');
  other.close();
  await sql`insert into written values (2)`.execute(db);
  await db.destroy();
});
