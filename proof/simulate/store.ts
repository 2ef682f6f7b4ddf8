import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { createSqliteDialect } from '../../src/store/sqlite/dialect.ts';
import type { Scheduler } from './scheduler.ts';
import { noteChange, settle } from './virtual-world.ts';

/** One SQLite database in memory. Each process has its own driver, whose statements wait until they are chosen. */

const dialect = createSqliteDialect(':memory:');
const driver = dialect.createDriver();
/** The rows of the migrated, empty database: migrating it for each history would take most of the time. */
let first: ReadonlyMap<string, readonly Row[]> | undefined;

type Row = Readonly<Record<string, unknown>>;

export type SharedDatabase = Awaited<ReturnType<typeof openSharedDatabase>>;

/** Reads the rows between two steps, outside of all processes. */
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
  // A statement may wait for the next turn of the event loop, which only `settle` runs here.
  while (!isOver) await settle();
  return reading;
}

export async function openSharedDatabase(scheduler: Scheduler) {
  if (first !== undefined) await empty(first);
  const trouble = { left: 0 };
  return {
    /** Fails the next `times` statements outside of transactions. */
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
    /** Stores the present rows as the beginning of all further histories. */
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

/** Restores the rows. In one transaction, since the event loop does not run between two histories. */
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
          const result = await real.executeQuery<Row>(query);
          if (changes(query, result)) noteChange();
          // Kysely's driver interface trusts the row type of the query.
          return result as QueryResult<never>;
        },
        streamQuery: (...args) => real.streamQuery(...args),
      };
      reals.set(connection, real);
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      // A transaction is one point, since other processes wait for all of it.
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
    // The database is destroyed with the world.
    destroy: async () => {},
  };
}

const reals = new WeakMap<DatabaseConnection, DatabaseConnection>();

function realOf(connection: DatabaseConnection): DatabaseConnection {
  const real = reals.get(connection);
  if (real === undefined) throw new Error('a connection of another database');
  return real;
}

/** Whether a statement changed rows that others wait for; notes of presence do not count. */
function changes({ sql }: CompiledQuery, { rows, numAffectedRows }: QueryResult<Row>): boolean {
  return !/^\s*select\b|"presence"/i.test(sql) && (rows.length > 0 || (numAffectedRows ?? 0n) > 0n);
}

function labelOf({ sql }: CompiledQuery): string {
  const [verb = ''] = /^\s*\w+/.exec(sql) ?? [];
  // json_each, the list of parameters, is not a table.
  const tables = [...sql.matchAll(/\b(?:from|into|update|join)\s+"?(?!(?:json_each|set)\b)(\w+)"?/gi)];
  return `${verb.trim().toLowerCase()} ${[...new Set(tables.map(([, table]) => table))].join(',')}`;
}
