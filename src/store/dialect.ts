import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Json } from '../core/text/json.ts';
import type { Schema } from './schema.ts';

/** All differences between the two engines, besides their drivers. */
export interface SqlDialect {
  engine: 'sqlite' | 'postgres';
  /** The type of an auto-incrementing primary key. */
  serialKey: string;
  /** The type of all text, compared byte by byte: both order alike, and a comparison of columns can use an index. */
  text: string;
  /** `for update`: SQLite has one writer at a time and needs none. */
  hasRowLocks: boolean;
  /** A query that returns a row if the table exists. */
  table(name: string): RawBuilder<unknown>;
  /** Whether the column has one of the texts in this JSON list. The SQL is the same for any number of texts. */
  isAmong(column: string, json: string): RawBuilder<SqlBool>;
  /** The elements of this JSON list as rows of the table `item`, whose only column is `value`. */
  items(json: string): RawBuilder<unknown>;
  /** Called inside the transaction that migrates, which holds SQLite's write lock already. */
  lockSchema(transaction: Kysely<Schema>): Promise<void>;
}

/** An arbitrary number that must never change: "host" in ASCII. */
const schemaLock = 0x686f7374;

export const dialects: Readonly<Record<SqlDialect['engine'], SqlDialect>> = {
  sqlite: {
    engine: 'sqlite',
    serialKey: 'integer primary key autoincrement',
    text: 'text',
    hasRowLocks: false,
    table: (name) => sql`select 1 from sqlite_master where name = ${name}`,
    isAmong: (column, json) => sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${json}))`,
    items: (json) => sql`json_each(${json}) as item`,
    lockSchema: async () => {},
  },
  postgres: {
    engine: 'postgres',
    serialKey: 'bigint generated always as identity primary key',
    text: 'text collate "C"',
    hasRowLocks: true,
    table: (name) => sql`select 1 where to_regclass(${name}) is not null`,
    isAmong: (column, json) =>
      sql<SqlBool>`${sql.ref(column)} = any(array(select json_array_elements_text(${json}::text::json)))`,
    items: (json) => sql`json_array_elements(${json}::text::json) as item(value)`,
    lockSchema: async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(schemaLock)})`.execute(transaction);
    },
  },
};

export interface Context {
  db: Kysely<Schema>;
  dialect: SqlDialect;
  now: () => number;
  /** The present time, plus an optional number of ms, by the clock that decides leases and due times. */
  clock: (laterMs?: number) => RawBuilder<number>;
}

/** On PostgreSQL its clock decides, since those of replicas differ. `leaseClock: 'now'`: tests that move the clock. */
export function clockOf(engine: SqlDialect['engine'], now: () => number, leaseClock: 'database' | 'now') {
  // A subquery is evaluated once for the statement and not for each row, so that an index can be used.
  if (engine === 'postgres' && leaseClock === 'database')
    return (laterMs = 0) =>
      sql<number>`((extract(epoch from statement_timestamp()) * 1000)::bigint + ${Math.round(laterMs)}::bigint)`;
  const type = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  return (laterMs = 0) => sql<number>`cast(${Math.round(now() + laterMs)} as ${type})`;
}

/** An update of one operation. */
export const operationAt = (id: string, on: Context['db']) => on.updateTable('operations').where('id', '=', id);

/** Whether the statement changed a row, for `$call`. Of all callers with the same condition one gets true. */
export async function hasChanged(statement: { executeTakeFirstOrThrow(): Promise<Changed> }): Promise<boolean> {
  const { numUpdatedRows, numDeletedRows, numInsertedOrUpdatedRows } = await statement.executeTakeFirstOrThrow();
  return (numUpdatedRows ?? numDeletedRows ?? numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Changed = { [Count in `num${'Updated' | 'Deleted' | 'InsertedOrUpdated'}Rows`]?: bigint | undefined };

/** Reads all rows, each as `read` returns it, for `$call`. */
export function rowsAs<Row, Read>(read: (row: Row) => Read) {
  return async (query: { execute(): Promise<Row[]> }): Promise<Read[]> => (await query.execute()).map(read);
}

export async function countRows<Table extends keyof Schema>(rows: SelectQueryBuilder<Schema, Table, object>) {
  const { count } = await rows.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Removes NUL, which PostgreSQL rejects, and lone surrogates, which none stores. Use before comparing or hashing. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The JSON list that a dialect's `isAmong` takes. */
export function textList(texts: readonly string[]): string {
  return JSON.stringify(texts.map(plainText));
}
