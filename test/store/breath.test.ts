import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Schema } from '../../src/store/schema.ts';
import { createSqliteDialect } from '../../src/store/sqlite/dialect.ts';

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
