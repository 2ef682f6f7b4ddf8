import { createHash } from 'node:crypto';
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';
import { isPartOfStep } from './coarse.ts';
import { changedRow, isRead, lookedAt, tablesIn, triggersFor, unread } from './rows.ts';
import type { Resource, Scheduler } from './scheduler.ts';
import { type Found, findsAny, strayOf, sweepOf, sweepsChanged, sweptBy } from './sweeps.ts';
import { actors, observe, roughly } from './tasks.ts';
import { settle, virtualNow } from './virtual-world.ts';

/** One SQLite database in memory, to which each process has a way of its own: a statement waits until it is chosen. */

const dialect = createSqliteDialect(':memory:');
const driver = dialect.createDriver();
/** Rows of the empty database once it was migrated: migrating anew for each history would take most of the time. */
let first: ReadonlyMap<string, readonly Row[]> | undefined;
let readsAll = '';

type Row = Readonly<Record<string, unknown>>;

export type SharedDatabase = Awaited<ReturnType<typeof openSharedDatabase>>;

/** Reads between two steps, for whoever looks from outside. */
async function read(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const reading = (async () => {
    const connection = await driver.acquireConnection();
    const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]));
    await driver.releaseConnection(connection);
    return rows;
  })();
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  reading.then(end, end);
  // A statement may wait for the next turn of the event loop, which comes here alone.
  while (!isOver) await settle();
  return reading;
}

export const receivingAt = (actor: string): Resource => ({ name: 'receiving', row: actor, isWrite: true });

export async function openSharedDatabase(scheduler: Scheduler) {
  if (first !== undefined) await empty(first);
  const trouble = { left: 0 };
  const written: Written = { before: undefined, strays: [], isAnything: true };
  let whole = '';
  return {
    /** The next so many statements outside of a transaction find no database. */
    fail: (times: number) => {
      trouble.left += times;
    },
    wayFor: (): Dialect => ({
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createDriver: () => createWay(scheduler, trouble, written),
    }),
    read,
    /** All that the rows say, with the order of those whose order matters; nothing that tells one order of steps from another. */
    whole: async (): Promise<string> => {
      if (!written.isAnything) return whole;
      written.isAnything = false;
      const [row = {}] = await read(readsAll);
      whole = createHash('sha1')
        .update(roughly(JSON.stringify(row)))
        .digest('base64');
      return whole;
    },
    /** Of each message the numbers of the version that is wanted and of the one that Slack has. */
    versions: (): Promise<Row[]> => read('select key, wanted, delivered from messages order by key'),
    /** Sweeps that found what was not there to be worked on. */
    strays: written.strays,
    /** Keeps what is there as the beginning of all further histories. */
    remember: async () => {
      if (first !== undefined) return;
      first = await rowsOfAll();
      readsAll = await readingAll([...first.keys()]);
      await noteChanges([...first.keys()]);
    },
    /** The rows that were changed since it was last asked. */
    changed: async (): Promise<Resource[]> => {
      const { before } = written;
      if (before === undefined || first === undefined) return [];
      written.before = undefined;
      const rows = (await read('delete from changed returning "table", "row", columns')).map(changedRow);
      const [after = {}] = rows.length === 0 ? [before] : await read(findsAny, [virtualNow()]);
      return [...rows, ...sweepsChanged(before, after, rows)];
    },
  };
}

async function rowsOfAll(): Promise<Map<string, readonly Row[]>> {
  const tables = await read("select name from sqlite_schema where type = 'table'");
  const rows = new Map<string, readonly Row[]>();
  for (const { name } of tables) rows.set(String(name), await read(`select * from "${String(name)}"`));
  return rows;
}

/** How often a message was drawn: only which of two is later matters, and the room says which one is under way. */
const versions = ['wanted', 'delivered'];
/** Numbers that only count, how long something took to the millisecond, and the seal of the audit, which depends on the order of its lines. */
const counters: Readonly<Record<string, readonly string[]>> = {
  messages: ['seq', ...versions],
  durations: ['id', 'ms'],
  audit: ['seq', 'prev', 'hash'],
};
const orders: Readonly<Record<string, string>> = { messages: 'seq', votes: 'user_id', audit: 'kind, actor, at' };
const uncompared = new Set(['audit_head', 'sqlite_sequence']);

async function readingAll(tables: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const table of tables.filter((name) => !uncompared.has(name))) {
    const columns = (await read(`select name from pragma_table_info('${table}')`)).map(({ name }) => String(name));
    const kept = columns.filter((name) => counters[table]?.includes(name) !== true).map((name) => `"${name}"`);
    const order = orders[table] ?? '1';
    parts.push(
      `(select json_group_array(json_array(${kept})) from (select * from "${table}" order by ${order})) as "${table}"`,
    );
  }
  return `select ${parts.join(', ')}`;
}

async function noteChanges(tables: readonly string[]): Promise<void> {
  await read('create temp table changed ("table" text, "row" text, columns text)');
  for (const table of tables) {
    const columns = await read(`select name from pragma_table_info('${table}')`);
    const names = columns.map(({ name }) => String(name));
    for (const trigger of triggersFor(table, names)) await read(trigger);
  }
}

/** In a transaction nothing waits for the event loop, which stands still between two histories. */
async function empty(to: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const connection = await driver.acquireConnection();
  const run = (sql: string, parameters: readonly unknown[] = []) =>
    connection.executeQuery(CompiledQuery.raw(sql, [...parameters]));
  await driver.beginTransaction(connection, {});
  await run('pragma defer_foreign_keys = on');
  for (const [table, rows] of to) {
    await run(`delete from "${table}"`);
    for (const row of rows) {
      const names = Object.keys(row).map((name) => `"${name}"`);
      await run(`insert into "${table}" (${names}) values (${names.map(() => '?')})`, Object.values(row));
    }
  }
  await run('delete from temp.changed');
  await driver.commitTransaction(connection);
  await driver.releaseConnection(connection);
}

function createWay(scheduler: Scheduler, trouble: { left: number }, written: Written): Driver {
  const inTransaction = new WeakSet<DatabaseConnection>();
  return {
    init: async () => {},
    acquireConnection: async (options) => {
      const real = await driver.acquireConnection(options);
      const connection: DatabaseConnection = {
        executeQuery: async (query) => {
          if (!inTransaction.has(real)) {
            await scheduler.atUnlessPart(labelOf(query), isPartOfStep(query.sql));
            if (trouble.left > 0) {
              trouble.left--;
              scheduler.touch({ name: 'database', isWrite: true });
              throw new StoreUnavailable('using the database: it is away for a moment');
            }
          }
          const sweep = inTransaction.has(real) ? undefined : sweepOf(query.sql);
          const isFirstWrite = written.before === undefined && !isRead(query.sql);
          const found = isFirstWrite || sweep !== undefined ? await findAny(real) : {};
          if (isFirstWrite) written.before = found;
          scheduler.touch({ name: 'database', isWrite: false });
          // Payloads that arrive while others are stored wait in the memory of their process.
          if (query.sql.startsWith('insert into "inbox"')) scheduler.touch(receivingAt(actors.getStore() ?? ''));
          if (!isRead(query.sql)) written.isAnything = true;
          const words = isForgotten(query.sql, inTransaction.has(real)) ? undefined : wordsOf(query);
          const result = await real.executeQuery<Row>(query).catch((error) => {
            scheduler.touch(...lookedAt(query));
            if (words !== undefined) observe(words, String(error));
            throw error;
          });
          if (words !== undefined) observe(words, answerOf(query, result));
          const hasFound = result.rows.length > 0 || (result.numAffectedRows ?? 0n) > 0n;
          written.strays.push(...strayOf(sweep, found, hasFound));
          scheduler.touch(...(sweptBy(sweep, found, hasFound) ?? lookedAt(query, hasFound)));
          // Kysely's own driver interface trusts the row type that the query was built with.
          return result as QueryResult<never>;
        },
        streamQuery: (...args) => real.streamQuery(...args),
      };
      reals.set(connection, real);
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      // Another process waits for the whole of it, so it is one point.
      await scheduler.at('transaction');
      await driver.beginTransaction(realOf(connection), settings);
      inTransaction.add(realOf(connection));
    },
    commitTransaction: async (connection) => {
      inTransaction.delete(realOf(connection));
      await driver.commitTransaction(realOf(connection));
    },
    rollbackTransaction: async (connection) => {
      inTransaction.delete(realOf(connection));
      await driver.rollbackTransaction(realOf(connection));
    },
    releaseConnection: (connection, options) => driver.releaseConnection(realOf(connection), options),
    // The database lives as long as the world does.
    destroy: async () => {},
  };
}

/** Keeps whether there was something to work on before the first change of the step. */
interface Written {
  before: Found | undefined;
  readonly strays: string[];
  /** Since all rows were read. */
  isAnything: boolean;
}

async function findAny(connection: DatabaseConnection): Promise<Found> {
  // Before the tables are there nobody works.
  if (first === undefined) return {};
  const { rows } = await connection.executeQuery<Found>(CompiledQuery.raw(findsAny, [virtualNow()]));
  return rows[0] ?? {};
}

const reals = new WeakMap<DatabaseConnection, DatabaseConnection>();

function realOf(connection: DatabaseConnection): DatabaseConnection {
  const real = reals.get(connection);
  if (real === undefined) throw new Error('a connection of another database');
  return real;
}

/**
 * The seal of the audit depends on the order of its lines, and nothing but the next line on the seal. Steps and votes are read
 * in a transaction to draw them, and what was drawn is in the rows.
 */
const isForgotten = (sql: string, isInTransaction: boolean): boolean =>
  /"audit_head"|^insert into "audit"/.test(sql) || (isInTransaction && /^select \* from "(steps|votes)"/.test(sql));

const isOfMessages = (sql: string): boolean => sql.includes('"messages"');

/** A statement, without what a message shows and which version of it that is. */
function wordsOf({ sql, parameters }: CompiledQuery): string {
  if (sql.startsWith('insert into "messages"')) return 'messages';
  const isNumber = (value: unknown) => typeof value === 'number' && value < 1_000_000;
  return `${sql} ${JSON.stringify(isOfMessages(sql) ? parameters.filter((value) => !isNumber(value)) : parameters)}`;
}

const unreadColumns = new Set(Object.values(unread).flat());

function answerOf({ sql }: CompiledQuery, { rows, numAffectedRows }: QueryResult<Row>): string {
  const isLeftOut = (name: string) =>
    (sql.includes('*') && unreadColumns.has(name)) ||
    (isOfMessages(sql) && (name === 'version' || versions.includes(name)));
  const inOrder = /from "(votes|audit)"/.test(sql)
    ? rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : rows;
  return JSON.stringify([inOrder, String(numAffectedRows)], (name, value) => (isLeftOut(name) ? undefined : value));
}

function labelOf({ sql }: CompiledQuery): string {
  const [verb = ''] = /^\s*\w+/.exec(sql) ?? [];
  return `${verb.trim().toLowerCase()} ${[...new Set(tablesIn(sql))].join(',')}`;
}
