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
import { explainSqlite, openFile } from './file.ts';
import { createFileTurns } from './file-turns.ts';

const maxStatements = 500;

let memories = 0;

interface SqliteConnection extends DatabaseConnection {
  /** Ends its turn; inside a transaction it has the file to itself until then. */
  release: (() => void) | undefined;
  /** Its transaction is a part of one that others began. */
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
    const known = statements.get(text);
    if (known !== undefined) return known;
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
      // The store's tables are typed with numbers, strings and null only, all of which node:sqlite binds as they are.
      const values = parameters as SQLInputValue[];
      if (isReader) return { rows: statement.all(...values) };
      return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] };
    } catch (error) {
      const explained = explainSqlite(error, file);
      // A full disk ends the whole transaction, for all that share it.
      if (!database.isTransaction) turns.lose(explained);
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

  /** An error of one statement fails only its caller; a full disk rolls back the others as well. */
  const writes = createBatcher(
    async (queries: CompiledQuery[]): Promise<Outcome[]> => {
      const release = await turns.toWrite();
      const [only] = queries;
      if (only !== undefined && queries.length === 1 && turns.isAlone()) {
        const outcome = attempt(only);
        release();
        return [outcome];
      }
      let outcomes: Outcome[];
      try {
        turns.begin();
        outcomes = queries.map(attempt);
        const lost = database.isTransaction ? undefined : outcomes.find(({ error }) => error !== undefined);
        if (lost !== undefined) throw lost.error;
      } catch (error) {
        release();
        throw error;
      }
      await turns.commit(release);
      return outcomes;
    },
    { maxItems: maxTogether },
  );

  const open = (): SqliteConnection => {
    const connection: SqliteConnection = {
      release: undefined,
      isJoined: false,
      async executeQuery<R>(query: CompiledQuery) {
        // Kysely's own driver interface trusts the row type that the query was built with.
        if (connection.release !== undefined) return execute(query) as QueryResult<R>;
        if (writing.test(query.sql)) {
          const { result, error } = await writes.add(query);
          if (result === undefined) throw error;
          return result as QueryResult<R>;
        }
        const release = await turns.toRead();
        try {
          return execute(query) as QueryResult<R>;
        } finally {
          release();
        }
      },
      async *streamQuery() {
        yield Promise.reject(new Error('the store reads in pages, it does not stream'));
      },
    };
    return connection;
  };
  const mine = (connection: DatabaseConnection): SqliteConnection => {
    if (!('release' in connection)) throw new Error('a connection of another database');
    // Only `open` makes connections with it.
    return connection as SqliteConnection;
  };

  const adapter = new SqliteAdapter();
  // Kysely's own mutex for engines with one connection wakes every waiter at every release; the queue is first come,
  // first served. This property is read for nothing else (kysely 0.29.9, driver/runtime-driver.js).
  Object.defineProperty(adapter, 'supportsMultipleConnections', { value: true });

  return {
    createAdapter: () => adapter,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => open(),
      releaseConnection: async (connection) => {
        const one = mine(connection);
        const { release } = one;
        one.release = undefined;
        if (release === undefined) return;
        // It was not committed.
        try {
          if (one.isJoined && database.isTransaction) {
            run('rollback to joined');
            run('release joined');
          }
        } finally {
          turns.leave(release, one.isJoined);
        }
      },
      beginTransaction: async (connection) => {
        const one = mine(connection);
        one.release = await turns.toWrite();
        one.isJoined = turns.begin();
        if (one.isJoined) run('savepoint joined');
      },
      commitTransaction: async (connection) => {
        const one = mine(connection);
        if (one.isJoined) run('release joined');
        const { release = () => {} } = one;
        one.release = undefined;
        await turns.commit(release);
      },
      // The connection is released right after it.
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
const writing = /^(insert|update|delete|with)\b/i;

/** Writes that arrive in one turn of the event loop share a commit, which waits for the disk; so many at most. */
const maxTogether = 100;

const longestStretchMs = 1;

/**
 * No statement here yields to the event loop, so hundreds in a row would all run in one turn of it, and no request
 * would be read or acknowledged meanwhile. After a millisecond they yield once.
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
