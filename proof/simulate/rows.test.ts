import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { depend } from './happens-before.ts';
import { changedRow, lookedAt, unread } from './rows.ts';

const rowsOf = (sql: string, ...parameters: unknown[]) =>
  lookedAt({ sql, parameters }).map(({ name, row }) => (row === undefined ? `${name}: all` : `${name}: ${row}`));

test.each([
  ['by its key', 'select * from "operations" where "id" = ?', ['a'], ['operations: a']],
  [
    'by the second condition',
    'update "steps" set "state" = ? where "n" = ? and "operation_id" = ?',
    ['done', 0, 'a'],
    ['steps: a'],
  ],
  [
    'several by their keys',
    'select * from "votes" where "operation_id" in (select value from json_each(?)) order by "at"',
    ['["a","b"]'],
    ['votes: a', 'votes: b'],
  ],
  ['by something else', 'select * from "operations" where "state" = ?', ['waiting'], ['operations: all']],
  [
    'by its key or something else',
    'select * from "messages" where "key" = ? or "state" = ?',
    ['a', 'due'],
    ['messages: all'],
  ],
  ['all', 'select * from "locks" order by "since"', [], ['locks: all']],
  [
    'in another table as well',
    'update "steps" set "state" = ? where "operation_id" = ? and exists (select "id" from "operations" where "id" = ?)',
    ['running', 'a', 'a'],
    ['steps: a', 'operations: all'],
  ],
  [
    'with a key inside of another statement',
    'select (select "id" from "votes" where "operation_id" = ?) from "operations" where "state" = ?',
    ['a', 'b'],
    ['votes: all', 'operations: all'],
  ],
  [
    'that are inserted',
    'insert into "messages" ("key", "wanted") values (?, ?), (?, ?) on conflict ("key") do update set "wanted" = "messages"."wanted" + ?',
    ['a', 1, 'b', 1, 1],
    ['messages: a', 'messages: b'],
  ],
  [
    'that are inserted unless they are there',
    'insert into "inbox" ("key", "claimed_until") values (?, cast(? as integer)) on conflict ("key") do nothing returning "key"',
    ['a', 1],
    ['there is inbox: a'],
  ],
  [
    'of the audit, before a line is added that may be there',
    'select "kind" from "audit" where "operation_id" in (select value from json_each(?)) and "kind" in (select value from json_each(?))',
    ['["a"]', '["vote"]'],
    ['audit: a'],
  ],
  ['of the audit, when lines are added', 'insert into "audit" ("seq", "operation_id") values (?, ?)', [1, 'a'], []],
  [
    'by two names',
    'with "next" as (select 1 from "messages") update "messages" set "key" = ? where "key" = ?',
    [],
    ['messages: all'],
  ],
])('a statement looks at rows %s', (_, sql, parameters, expected) => {
  expect(rowsOf(sql, ...parameters)).toEqual(expected);
});

test('a column that only gets a value is not read, one in its condition is', () => {
  const [row] = lookedAt({ sql: 'update "operations" set "state" = ?, "note" = "why" where "id" = ?', parameters: [] });
  const read = row?.columns !== undefined && 'only' in row.columns ? row.columns.only : new Set();
  expect([read.has('state'), read.has('note'), read.has('why'), read.has('id')]).toEqual([false, false, true, true]);
});

test('a statement that found no row looked at the columns of its conditions alone', () => {
  const columnsOf = (sql: string) => {
    const [row] = lookedAt({ sql, parameters: ['a'] }, false);
    return row?.columns !== undefined && 'only' in row.columns ? row.columns.only : new Set();
  };
  const claim =
    'update "operations" set "format" = case when "note" < ? then 1 end where "id" = ? and "turn_until" <= ?';
  const claimed = columnsOf(`${claim} returning *`);
  expect([claimed.has('turn_until'), claimed.has('id'), claimed.has('note')]).toEqual([true, true, false]);
  const found = columnsOf('select * from "operations" where "state" = ?');
  expect([found.has('state'), found.has('note')]).toEqual([true, false]);
  const next = columnsOf(
    'with "next" as (select "seq" from "messages" where "state" = ?) update "messages" set "view" = ? where "seq" in (select "seq" from "next")',
  );
  expect([next.has('state'), next.has('seq'), next.has('view')]).toEqual([true, true, false]);
});

test('all columns are read but those that nobody reads in a row, unless the statement names them', () => {
  const columnsOf = (sql: string) => lookedAt({ sql, parameters: ['a'] })[0]?.columns;
  expect(columnsOf('select * from "operations" where "id" = ?')).toEqual({ but: new Set(unread.operations) });
  expect(columnsOf('select * from "operations" where "turn_until" <= ?')).toEqual({
    but: new Set(['next_turn_at', 'turn_owner']),
  });
});

test('a changed row has the columns that changed, and all of them when it came or went', () => {
  const changed = { table: 'votes', row: 'a', columns: ' is_void why' };
  expect(changedRow(changed).columns).toEqual({ only: new Set(['is_void', 'why']) });
  expect(changedRow({ ...changed, columns: '' }).columns).toBeUndefined();
});

/** The table says so; a row that is handed on would make two orders differ that are called equal. */
test('no part of the bot reads in a row what is said to be read by statements alone', () => {
  const names = Object.values(unread)
    .flat()
    .map((column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const readers = globSync('src/**/*.ts').filter((file) => {
    // In quotes they are parts of statements.
    const code = readFileSync(file, 'utf8').replace(/'[^'\n]*'/g, '');
    return names.some((name) => new RegExp(`\\.${name}\\b|[{,] ${name}[ ,]+.*} = `).test(code));
  });
  expect(readers).toEqual([]);
});

test('two lines of the audit are in no race with each other, a line and who looks for one are', () => {
  const line = changedRow({ table: 'audit', row: 'a', columns: '' });
  const [look = line] = lookedAt({ sql: 'select "kind" from "audit" where "operation_id" = ?', parameters: ['a'] });
  expect(depend([line], [line])).toBe(false);
  expect(depend([line], [look])).toBe(true);
});
