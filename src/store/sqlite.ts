import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { StoreUnavailable } from '../core/errors.ts';
import { createKeyedQueue, enterQueue } from '../core/keyed-queue.ts';
import { createBatcher } from './batcher.ts';

const busyTimeoutMs = 5_000;
const maxStatements = 500;

/**
 * node:sqlite blocks while it waits for a file lock, so two connections to one file in one process would block each
 * other for ever. They take turns instead; the busy timeout handles other processes.
 */
const files = createKeyedQueue();
let memories = 0;

interface SqliteConnection extends DatabaseConnection {
  /** Ends its turn; inside a transaction it has the file to itself until then. */
  release: (() => void) | undefined;
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
      throw explainSqlite(error, file);
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
  const takeFile = async () => {
    const release = await enterQueue(files, path);
    await breathe();
    return release;
  };

  /** An error of one statement fails only its caller; a full disk rolls back the others as well. */
  const writeTogether = (queries: readonly CompiledQuery[]): Outcome[] => {
    const [only] = queries;
    if (queries.length === 1 && only !== undefined) return [attempt(only)];
    run('begin immediate');
    try {
      const outcomes = queries.map(attempt);
      const lost = database.isTransaction ? undefined : outcomes.find(({ error }) => error !== undefined);
      if (lost !== undefined) throw lost.error;
      run('commit');
      return outcomes;
    } catch (error) {
      if (database.isTransaction) run('rollback');
      throw error;
    }
  };
  const writes = createBatcher(
    async (queries: CompiledQuery[]) => {
      const release = await takeFile();
      try {
        return writeTogether(queries);
      } finally {
        release();
      }
    },
    { maxItems: maxTogether },
  );

  const open = (): SqliteConnection => {
    const connection: SqliteConnection = {
      release: undefined,
      async executeQuery<R>(query: CompiledQuery) {
        // Kysely's own driver interface trusts the row type that the query was built with.
        if (connection.release !== undefined) return execute(query) as QueryResult<R>;
        if (writing.test(query.sql)) {
          const { result, error } = await writes.add(query);
          if (result === undefined) throw error;
          return result as QueryResult<R>;
        }
        const release = await takeFile();
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
        mine(connection).release?.();
        mine(connection).release = undefined;
      },
      // A plain `begin` takes the write lock at the first write, where a second process fails at once instead of waiting.
      beginTransaction: async (connection) => {
        mine(connection).release = await takeFile();
        run('begin immediate');
      },
      commitTransaction: async () => {
        run('commit');
      },
      rollbackTransaction: async () => {
        if (database.isTransaction) run('rollback');
      },
      destroy: async () => {
        await writes.drain();
        const release = await enterQueue(files, path);
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

function openFile(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') makePrivate(file);
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    try {
      configure(database, file);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw explainSqlite(error, file);
  }
}

/** Created before SQLite does, since its -wal and -shm files take over the mode of this one. */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const { mode, uid } = statSync(file);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
}

function configure(database: DatabaseSync, file: string): void {
  const pragma = (text: string) => Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0];
  const journal = pragma('journal_mode = wal');
  if (file !== ':memory:' && journal !== 'wal') {
    throw new StoreUnavailable(
      `opening SQLite ${file}: its file system allows no write-ahead log (journal mode stayed ${journal}); put the file on a local disk, or use PostgreSQL`,
    );
  }
  database.exec('pragma synchronous = full');
  database.exec('pragma secure_delete = on');
  const synchronous = pragma('synchronous');
  if (synchronous !== 2) {
    throw new StoreUnavailable(
      `opening SQLite ${file}: synchronous is ${synchronous} and not 2 (full), so a commit might not survive a power cut; run it with the Node that npm ci installs`,
    );
  }
  // The header is read only now; a file that is something else is noticed here.
  database.prepare('select count(*) from sqlite_schema').get();
}

/** SQLite's result codes (https://sqlite.org/rescode.html) that are about the file and not about the statement. */
const fileTroubles: Readonly<Record<number, string>> = {
  5: 'another process keeps it locked; stop the other process, or use PostgreSQL to run several',
  6: 'another process keeps it locked; stop the other process, or use PostgreSQL to run several',
  8: 'it cannot be written; give the user Hostler runs as write permission for the file and its directory',
  10: 'the disk reported an error; check the disk, then restore the newest backup if the file is damaged',
  11: 'the file is damaged; restore the newest backup, or move it away to start with an empty one',
  13: 'the disk is full; free some space',
  14: 'it cannot be opened; check that the directory exists and that Hostler may write there',
  26: 'the file is not a SQLite database, or damaged; restore the newest backup, or move it away to start with an empty one',
};

const systemTroubles: Readonly<Record<string, string>> = {
  EACCES: 'no permission; give the user Hostler runs as write permission there, or set DATABASE_URL to another path',
  EPERM: 'no permission; give the user Hostler runs as write permission there, or set DATABASE_URL to another path',
  EROFS: 'the file system is read-only; set DATABASE_URL to a path that can be written',
  EISDIR: 'it is a directory; set DATABASE_URL to the path of a file',
  ENOTDIR: 'a part of the path is a file, not a directory; set DATABASE_URL to another path',
  EEXIST: 'a part of the path is a file, not a directory; set DATABASE_URL to another path',
  ENOSPC: 'the disk is full; free some space',
  ENOENT: 'the directory cannot be made; set DATABASE_URL to another path',
};

export function explainSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error;
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : -1;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const trouble = fileTroubles[errcode] ?? systemTroubles[code];
  if (trouble === undefined) return error;
  return new StoreUnavailable(`using SQLite ${file}: ${trouble} (${error.message})`, { cause: error });
}
