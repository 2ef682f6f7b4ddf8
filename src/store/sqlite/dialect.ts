import { realpathSync } from 'node:fs';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { DatabaseConnection, Dialect, QueryResult } from 'kysely';
import { CompiledQuery, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { setBounded } from '../../core/async/bounded-map.ts';
import { createKeyedQueue, enterQueue } from '../../core/async/keyed-queue.ts';
import { createBatcher } from '../batcher.ts';
import { explainSqlite, openFile, whileBusy } from './file.ts';

const maxStatements = 500;

/**
 * The turns of each file, first come, first served: a transaction has its connection to itself, and other connections of
 * this process to the file wait without an attempt. `whileBusy` waits for other processes.
 */
const files = createKeyedQueue();

let memories = 0;

interface SqliteConnection extends DatabaseConnection {
  /** Ends the connection's turn. Set during a transaction, which has the file to itself. */
  release: (() => void) | undefined;
}

export function createSqliteDialect(file: string): Dialect {
  const database = openFile(file);
  const path = file === ':memory:' ? `:memory:${++memories}` : realpathSync(file);
  const breathe = createBreath();
  const statements = new Map<string, { statement: StatementSync; isReader: boolean }>();

  const prepare = (text: string) => {
    const cached = statements.get(text);
    if (cached !== undefined) return cached;
    const statement = database.prepare(text);
    const entry = { statement, isReader: statement.columns().length > 0 };
    setBounded(statements, text, entry, maxStatements);
    return entry;
  };

  const execute = ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    try {
      const { statement, isReader } = prepare(sql);
      // The types of the store's tables allow numbers, strings and null only, all of which node:sqlite binds.
      const values = parameters as SQLInputValue[];
      if (isReader) return { rows: statement.all(...values) };
      return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] };
    } catch (error) {
      throw explainSqlite(error, file);
    }
  };
  const run = (text: string) => execute(CompiledQuery.raw(text));
  const rollBack = () => {
    if (database.isTransaction) run('rollback');
  };

  /** Resolves with the function that ends the turn. */
  const enter = async () => {
    const release = await enterQueue(files, path);
    await breathe();
    return release;
  };
  /** Runs in one turn. While another process writes, others have turns to read. */
  const inTurn = <T>(work: () => T): Promise<T> =>
    whileBusy(async () => {
      const release = await enter();
      try {
        return work();
      } finally {
        release();
      }
    });

  /** An error of one statement fails only its caller; a full disk ends the transaction and fails all. */
  const attempt = (query: CompiledQuery) => {
    try {
      const result = execute(query);
      return () => result;
    } catch (error) {
      if (!database.isTransaction) throw error;
      return () => {
        throw error;
      };
    }
  };
  const attemptAll = (queries: readonly CompiledQuery[]) => {
    if (queries.length === 1) return queries.map(attempt);
    run('begin immediate');
    try {
      const outcomes = queries.map(attempt);
      run('commit');
      return outcomes;
    } finally {
      rollBack();
    }
  };
  const writes = createBatcher({ maxItems: maxTogether, restMs: 5 }, (queries: CompiledQuery[]) =>
    inTurn(() => attemptAll(queries)),
  );

  const open = (): SqliteConnection => {
    const connection: SqliteConnection = {
      release: undefined,
      async executeQuery<R>(query: CompiledQuery) {
        // Kysely's driver interface trusts the row type of the query.
        if (connection.release !== undefined) return execute(query) as QueryResult<R>;
        if (writing.test(query.sql)) return (await writes.add(query))() as QueryResult<R>;
        return inTurn(() => execute(query) as QueryResult<R>);
      },
      async *streamQuery() {
        yield Promise.reject(new Error('the store reads in pages, it does not stream'));
      },
    };
    return connection;
  };
  const ownConnection = (connection: DatabaseConnection): SqliteConnection => {
    if (!('release' in connection)) throw new Error('a connection of another database');
    // Only `open` makes connections with this property.
    return connection as SqliteConnection;
  };

  const adapter = new SqliteAdapter();
  // Turns off Kysely's mutex for engines with one connection, which wakes every waiter at every release; the file's
  // turns are first come, first served. Kysely reads this property for nothing else (kysely 0.29.9,
  // driver/runtime-driver.js).
  Object.defineProperty(adapter, 'supportsMultipleConnections', { value: true });

  return {
    createAdapter: () => adapter,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => open(),
      releaseConnection: async (connection) => {
        const own = ownConnection(connection);
        const { release } = own;
        own.release = undefined;
        release?.();
      },
      beginTransaction: async (connection) => {
        ownConnection(connection).release = await whileBusy(async () => {
          const release = await enter();
          try {
            run('begin immediate');
            return release;
          } catch (error) {
            release();
            throw error;
          }
        });
      },
      commitTransaction: async () => void run('commit'),
      rollbackTransaction: async () => rollBack(),
      destroy: async () => {
        await writes.drain();
        const release = await enter();
        statements.clear();
        if (database.isOpen) database.close();
        release();
      },
    }),
  };
}

/** `with` may begin a read or a write; a read may be treated as a write. */
const writing = /^\s*(insert|update|delete|with)\b/i;

/** The most writes of one turn of the event loop that share a commit, which waits for the disk. */
const maxTogether = 100;

const longestStretchMs = 1;

/**
 * Yields to the event loop after each millisecond of statements. A statement itself never yields, so hundreds in a row
 * would run in one turn of the loop, and no request would be read or acknowledged meanwhile.
 */
function createBreath(): () => Promise<void> {
  let since: number | undefined;
  return async () => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(() => {
        since = undefined;
      });
    } else if (performance.now() - since > longestStretchMs) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}
