import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver } from 'kysely';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';
import type { Resource, Scheduler } from './scheduler.ts';
import { settle } from './virtual-world.ts';

/** One SQLite database in memory, to which each process has a way of its own: a statement waits until it is chosen. */

/** The order of these rows is promised to nobody. */
const unordered = new Set(['audit', 'audit_head', 'presence', 'liveness']);

const dialect = createSqliteDialect(':memory:');
const driver = dialect.createDriver();
/** Rows of the empty database once it was migrated: migrating anew for each history would take most of the time. */
let first: ReadonlyMap<string, readonly Row[]> | undefined;

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

export async function openSharedDatabase(scheduler: Scheduler) {
  if (first !== undefined) await empty(first);
  const trouble = { left: 0 };
  return {
    /** The next so many statements outside of a transaction find no database. */
    fail: (times: number) => {
      trouble.left += times;
    },
    wayFor: (): Dialect => ({
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createDriver: () => createWay(scheduler, trouble),
    }),
    read,
    /** Keeps what is there as the beginning of all further histories. */
    remember: async () => {
      first ??= await rowsOfAll();
    },
  };
}

async function rowsOfAll(): Promise<Map<string, readonly Row[]>> {
  const tables = await read("select name from sqlite_schema where type = 'table'");
  const rows = new Map<string, readonly Row[]>();
  for (const { name } of tables) rows.set(String(name), await read(`select * from "${String(name)}"`));
  return rows;
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
  await driver.commitTransaction(connection);
  await driver.releaseConnection(connection);
}

function createWay(scheduler: Scheduler, trouble: { left: number }): Driver {
  const inTransaction = new WeakSet<DatabaseConnection>();
  return {
    init: async () => {},
    acquireConnection: async (options) => {
      const real = await driver.acquireConnection(options);
      const connection: DatabaseConnection = {
        executeQuery: async (query) => {
          if (!inTransaction.has(real)) {
            await scheduler.at(labelOf(query));
            if (trouble.left > 0) {
              trouble.left--;
              throw new StoreUnavailable('using the database: it is away for a moment');
            }
          }
          scheduler.touch({ name: 'database', isWrite: false }, ...resourcesOf(query));
          return real.executeQuery(query);
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

const reals = new WeakMap<DatabaseConnection, DatabaseConnection>();

function realOf(connection: DatabaseConnection): DatabaseConnection {
  const real = reals.get(connection);
  if (real === undefined) throw new Error('a connection of another database');
  return real;
}

function tablesIn(sql: string): string[] {
  const named = sql.matchAll(/\b(?:from|into|update|join)\s+"?(\w+)"?/gi);
  return [...new Set([...named].flatMap(([, table]) => (table === undefined ? [] : [table])))];
}

function resourcesOf({ sql }: CompiledQuery): Resource[] {
  const isWrite = !/^\s*select\b/i.test(sql);
  return tablesIn(sql)
    .filter((table) => !unordered.has(table))
    .map((name) => ({ name, isWrite }));
}

function labelOf({ sql }: CompiledQuery): string {
  const [verb = ''] = /^\s*\w+/.exec(sql) ?? [];
  return `${verb.trim().toLowerCase()} ${tablesIn(sql).join(',')}`;
}
