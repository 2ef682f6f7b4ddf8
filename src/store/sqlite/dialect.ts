import { realpathSync } from 'node:fs';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { createBatcher } from '../batcher.ts';
import { explainSqlite, openFile, whileBusy } from './file.ts';
import { createFileTurns } from './file-turns.ts';

const maxStatements = 500;

let memories = 0;

interface SqliteConnection extends DatabaseConnection {
  /** Ends the connection's turn. Set during a transaction, which has the file to itself. */
  release: (() => void) | undefined;
  /** True if the transaction is part of one that another connection began. */
  isJoined: boolean;
}

interface Outcome {
  readonly result?: QueryResult<unknown>;
  readonly error?: unknown;
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
    const oldest = statements.size < maxStatements ? undefined : statements.keys().next().value;
    if (oldest !== undefined) statements.delete(oldest);
    statements.set(text, entry);
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
      const explained = explainSqlite(error, file);
      // A full disk ends the whole transaction for every participant.
      if (!database.isTransaction) turns.fail(explained);
      throw explained;
    }
  };
  const run = (text: string) => execute(CompiledQuery.raw(text));
  const attempt = (query: CompiledQuery): Outcome => {
    try {
      return { result: execute(query) };
    } catch (error) {
      return { error };
    }
  };
  const turns = createFileTurns(path, {
    breathe,
    begin: () => run('begin immediate'),
    commit: () => run('commit'),
    rollBack: () => {
      if (database.isTransaction) run('rollback');
    },
  });

  /** Begins work in a turn to write. While another process writes, others have turns to read. */
  const enter = <T>(begin: () => T) =>
    whileBusy(async () => {
      const release = await turns.toWrite();
      try {
        return { release, result: begin() };
      } catch (error) {
        release();
        throw error;
      }
    });

  /** An error of one statement fails only its caller; a full disk rolls back the others as well. */
  const writes = createBatcher(
    async (queries: CompiledQuery[]): Promise<Outcome[]> => {
      const { release, result } = await enter(() => {
        if (queries.length > 1 || !turns.isAlone()) turns.begin();
        const outcomes = queries.map(attempt);
        const lost = database.isTransaction ? undefined : outcomes.find(({ error }) => error !== undefined);
        if (lost !== undefined) throw lost.error;
        return outcomes;
      });
      if (database.isTransaction) await turns.commit(release);
      else release();
      return result;
    },
    { maxItems: maxTogether },
  );

  const open = (): SqliteConnection => {
    const connection: SqliteConnection = {
      release: undefined,
      isJoined: false,
      async executeQuery<R>(query: CompiledQuery) {
        // Kysely's driver interface trusts the row type of the query.
        if (connection.release !== undefined) return execute(query) as QueryResult<R>;
        if (writing.test(query.sql)) {
          const { result, error } = await writes.add(query);
          if (result === undefined) throw error;
          return result as QueryResult<R>;
        }
        return whileBusy(async () => {
          const release = await turns.toRead();
          try {
            return execute(query) as QueryResult<R>;
          } finally {
            release();
          }
        });
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
        if (release === undefined) return;
        // The transaction was not committed.
        try {
          if (own.isJoined && database.isTransaction) {
            run('rollback to joined');
            run('release joined');
          }
        } finally {
          turns.abandon(release, own.isJoined);
        }
      },
      beginTransaction: async (connection) => {
        const own = ownConnection(connection);
        const { release, result } = await enter(turns.begin);
        own.release = release;
        own.isJoined = result;
        if (own.isJoined) run('savepoint joined');
      },
      commitTransaction: async (connection) => {
        const own = ownConnection(connection);
        if (own.isJoined) run('release joined');
        const { release = () => {} } = own;
        own.release = undefined;
        await turns.commit(release);
      },
      // Kysely releases the connection right afterward, which rolls back.
      rollbackTransaction: async () => {},
      destroy: async () => {
        await writes.drain();
        const release = await turns.toRead();
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
