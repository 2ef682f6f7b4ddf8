import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';
import { changedRow, isRead, lookedAt, tablesIn, triggersFor } from './rows.ts';
import type { Resource, Scheduler } from './scheduler.ts';
import { type Found, findsAny, strayOf, sweepOf, sweepsChanged, sweptBy } from './sweeps.ts';
import { actors, settle, virtualNow } from './virtual-world.ts';

/** One SQLite database in memory, to which each process has a way of its own: a statement waits until it is chosen. */

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

export const receivingAt = (actor: string): Resource => ({ name: 'receiving', row: actor, isWrite: true });

export async function openSharedDatabase(scheduler: Scheduler) {
  if (first !== undefined) await empty(first);
  const trouble = { left: 0 };
  const written: Written = { before: undefined, strays: [] };
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
    /** Sweeps that found what was not there to be worked on. */
    strays: written.strays,
    /** Keeps what is there as the beginning of all further histories. */
    remember: async () => {
      if (first !== undefined) return;
      first = await rowsOfAll();
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
            await scheduler.at(labelOf(query));
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
          const result = await real.executeQuery<Row>(query).catch((error) => {
            scheduler.touch(...lookedAt(query));
            throw error;
          });
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

function labelOf({ sql }: CompiledQuery): string {
  const [verb = ''] = /^\s*\w+/.exec(sql) ?? [];
  return `${verb.trim().toLowerCase()} ${[...new Set(tablesIn(sql))].join(',')}`;
}
