import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import postgres from 'postgres';
import { orLate } from '../../core/async/within.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import type { PostgresAddress, PostgresHost } from './address.ts';
import { openPostgresClient, reachHost } from './client.ts';
import { lentMeanwhile, type ProvenConnection, proveConnections } from './prove-connections.ts';

export interface PostgresOptions {
  poolSize: number;
  /** Connections to open and check before the first use. */
  provenAtStart: number;
  connectTimeoutMs: number;
  /** A query without a response for this long means that the connection is lost. */
  queryTimeoutMs: number;
}

interface PooledConnection extends DatabaseConnection, ProvenConnection {
  begin(): Promise<void>;
  rollback(): Promise<void>;
  /** Forgets a transaction that was not ended, so that the next user does not inherit it. */
  forgetTransaction(): void;
  /** Drops the connection; the next query opens a new one. */
  discard(): void;
  end(): Promise<void>;
}

/**
 * The bot implements the pool itself: each place in it is a `postgres` client with one connection, and a client whose
 * connection broke is discarded. With that library's pool and `reserve()`, as kysely-postgres-js uses them, a
 * connection that breaks inside a transaction ends the process: `TypeError: Cannot read properties of null (reading
 * 'write')` from a setImmediate, or the query never answers (seen with postgres 3.4.9 and pg_terminate_backend inside a
 * transaction; test/store/postgres/dialect.test.ts).
 */
export function createPostgresDialect(address: PostgresAddress, options: PostgresOptions): Dialect {
  // If one connection went silent, the idle ones probably did too; each would cost another timeout.
  const onSilence = () => {
    for (const pooled of free) pooled.discard();
  };
  const choice = createHostChoice(address, options.connectTimeoutMs);
  let isLent = false;
  const all = Array.from({ length: options.poolSize }, () =>
    createConnection(address, choice, { ...options, canPrepare: () => !isLent }, onSilence),
  );
  const free = [...all];
  const waiting: ((connection: PooledConnection) => void)[] = [];
  const ownConnection = (connection: DatabaseConnection): PooledConnection => {
    const match = all.find((pooled) => pooled === connection);
    if (match === undefined) throw new Error('a connection of another pool');
    return match;
  };

  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {
        try {
          // The connections at the end of the list are used first.
          ({ isLent } = await proveConnections(all.slice(-options.provenAtStart), address.label));
          if (isLent) await proveTransactions(all[all.length - 1], address.label);
        } catch (error) {
          // Kysely does not destroy a driver whose init failed.
          for (const pooled of all) pooled.discard();
          throw error;
        }
      },
      acquireConnection: async () => free.pop() ?? new Promise((resolve) => waiting.push(resolve)),
      releaseConnection: async (connection) => {
        const pooled = ownConnection(connection);
        pooled.forgetTransaction();
        const next = waiting.shift();
        if (next === undefined) free.push(pooled);
        else next(pooled);
      },
      beginTransaction: (connection) => ownConnection(connection).begin(),
      commitTransaction: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('commit'));
      },
      rollbackTransaction: (connection) => ownConnection(connection).rollback(),
      destroy: async () => {
        await Promise.all(all.map((pooled) => pooled.end()));
      },
    }),
  };
}

async function proveTransactions(connection: PooledConnection | undefined, label: string): Promise<void> {
  try {
    await connection?.begin();
    await connection?.rollback();
  } catch (error) {
    const remedy = 'set pool_mode = transaction or session for this database';
    throw new StoreUnavailable(`opening ${label}: a pooler in between allows no transactions; ${remedy}`, {
      cause: error,
    });
  } finally {
    connection?.forgetTransaction();
  }
}

/** All connections of a pool use the same host, until one of them is lost. */
function createHostChoice(address: PostgresAddress, withinMs: number) {
  let chosen: Promise<PostgresHost> | undefined;
  return {
    host: () => {
      chosen ??= reachHost(address, withinMs);
      return chosen;
    },
    forget: () => {
      chosen = undefined;
    },
  };
}

function createConnection(
  address: PostgresAddress,
  choice: ReturnType<typeof createHostChoice>,
  options: PostgresOptions & { readonly canPrepare: () => boolean },
  onSilence: () => void,
): PooledConnection {
  const { label } = address;
  let client: postgres.Sql | undefined;
  /** The number of the present connection; each new connection has a new number. */
  let generation = 0;
  /** The generation on which the transaction began. On any other the transaction is lost. */
  let begunOn: number | undefined;

  const connect = async () => {
    const fresh: postgres.Sql = openPostgresClient(address, await choice.host(), {
      connectTimeoutMs: options.connectTimeoutMs,
      onClose: () => {
        if (client === fresh) discard();
      },
    });
    return fresh;
  };
  const discard = () => {
    const broken = client;
    client = undefined;
    generation += 1;
    choice.forget();
    broken?.end({ timeout: 0 }).catch(() => {});
  };
  const query = async (
    sql: string,
    parameters: (string | number | null)[],
    prepare: boolean,
    withinMs = options.queryTimeoutMs,
  ) => {
    try {
      client ??= await connect();
      return await answered(client.unsafe(sql, parameters, { prepare }), withinMs);
    } catch (error) {
      if (isConnectionLost(error)) discard();
      if (error instanceof QueryTimeout) onSilence();
      throw explainPostgres(error, label);
    }
  };

  const connection: PooledConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      if (begunOn !== undefined && begunOn !== generation) {
        throw new StoreUnavailable(
          `using ${label}: the connection broke inside a transaction, nothing of it was saved`,
        );
      }
      // The store's tables are typed with numbers, strings and null only.
      const result = await query(sql, parameters as (string | number | null)[], options.canPrepare());
      // Skips holes: the driver counts the rows of a canceled statement on into the next (postgres 3.4.9, porsager/postgres
      // issue 1119). Kysely's own driver interface trusts the row type that the query was built with.
      return { numAffectedRows: BigInt(result.count ?? 0), rows: result.filter(() => true) as R[] };
    },
    async *streamQuery() {
      yield Promise.reject(new Error('the store reads in pages, it does not stream'));
    },
    async begin() {
      await connection.executeQuery(CompiledQuery.raw('begin'));
      begunOn = generation;
    },
    async rollback() {
      if (begunOn !== generation) return;
      // The error that caused the rollback is reported; a connection that cannot roll back is discarded.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(discard);
    },
    forgetTransaction() {
      begunOn = undefined;
    },
    async backendPid(withinMs) {
      // Not prepared: behind a pooler that lends connections, the prepared statement could be unknown the next time.
      const [row] = await query('select pg_backend_pid() as pid', [], false, withinMs);
      return Number(row?.pid);
    },
    discard,
    async end() {
      await client?.end({ timeout: 5 });
      client = undefined;
    },
  };
  return connection;
}

class QueryTimeout extends Error {
  override name = 'QueryTimeout';
}

async function answered<T>(query: Promise<T>, timeoutMs: number): Promise<T> {
  return orLate(query, timeoutMs, () => new QueryTimeout(`no answer within ${timeoutMs / 1000} s`));
}

/** Remedies for SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) that no statement causes. */
const serverTroubles: Readonly<Record<string, string>> = {
  '28P01': 'check user and password in DATABASE_URL',
  '28000': 'check user, password and sslmode in DATABASE_URL, and pg_hba.conf on the server',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '42501': 'grant the user of DATABASE_URL the rights on its database and schema',
  '42704': 'check the part of DATABASE_URL after the question mark',
  '25006': 'the server is read-only; point DATABASE_URL at the primary',
  // The prepared statement does not exist.
  '26000': lentMeanwhile,
  '53100': 'the disk of the server is full; free some space',
  '53300': 'lower HOSTLER_DATABASE_CONNECTIONS or raise max_connections on the server',
  '57P01': 'the server is shutting down; try again when it is up',
  '57P02': 'the server is restarting; try again when it is up',
  '57P03': 'the server is starting; try again when it is up',
};

const lostConnection = 'check that the server runs and can be reached from here';

/** Driver errors that the statement caused. */
const statementErrors = new Set(['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'UNSAFE_TRANSACTION']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isConnectionLost(error: unknown): boolean {
  // The server closes the connection after FATAL and PANIC. A server that has become a standby accepts no writes.
  if (error instanceof postgres.PostgresError) return error.severity !== 'ERROR' || error.code === '25006';
  return error instanceof QueryTimeout || !statementErrors.has(codeOf(error));
}

function explainPostgres(error: unknown, label: string): unknown {
  const advice = serverTroubles[codeOf(error)] ?? (isConnectionLost(error) ? lostConnection : undefined);
  if (advice === undefined || !(error instanceof Error)) return error;
  // The message of an AggregateError (every address of a host name refused) is empty.
  const words = error.message === '' ? codeOf(error) : error.message.replace(/^write /, '');
  return new StoreUnavailable(`using ${label}: ${words}; ${advice}`, { cause: error });
}
