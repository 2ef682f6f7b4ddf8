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
import { lentMeanwhile, proveConnections } from './prove-connections.ts';

export interface PostgresOptions {
  poolSize: number;
  /** As many are opened and looked at before the first is used. */
  provenAtStart: number;
  connectTimeoutMs: number;
  /** A query without an answer for this long is a lost connection. */
  queryTimeoutMs: number;
}

interface PooledConnection extends DatabaseConnection {
  begin(): Promise<void>;
  rollback(): Promise<void>;
  /** Forgets a transaction that was never ended, so that the next user does not inherit it. */
  leave(): void;
  /** Asks the server which of its processes serves this connection. */
  backendPid(): Promise<number>;
  /** Opens another the next time. */
  discard(): void;
  end(): Promise<void>;
}

/**
 * The pool is ours: one `postgres` client with one connection per place, and a client whose connection broke is thrown
 * away. With its own pool and `reserve()`, as kysely-postgres-js uses them, a connection that breaks inside a transaction
 * ends the process: `TypeError: Cannot read properties of null (reading 'write')` from a setImmediate, or the query
 * never answers (seen with postgres 3.4.9 and pg_terminate_backend inside a transaction; test/store/outage.test.ts).
 */
export function createPostgresDialect(
  address: PostgresAddress,
  options: PostgresOptions,
): { readonly dialect: Dialect; readonly isLent: () => boolean } {
  // One that went silent is seldom alone: without this, each that rests would cost a deadline of its own.
  const onSilence = () => {
    for (const one of free) one.discard();
  };
  const choice = createHostChoice(address, options.connectTimeoutMs);
  let isLent = false;
  const all = Array.from({ length: options.poolSize }, () =>
    createConnection(address, choice, { ...options, canPrepare: () => !isLent }, onSilence),
  );
  const free = [...all];
  const waiting: ((connection: PooledConnection) => void)[] = [];
  const mine = (connection: DatabaseConnection): PooledConnection => {
    const found = all.find((one) => one === connection);
    if (found === undefined) throw new Error('a connection of another pool');
    return found;
  };

  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {
        try {
          // The last ones are used first.
          ({ isLent } = await proveConnections(all.slice(-options.provenAtStart), address.label));
          if (isLent) await proveTransactions(all[all.length - 1], address.label);
        } catch (error) {
          // Kysely ends no driver that has not begun.
          for (const one of all) one.discard();
          throw error;
        }
      },
      acquireConnection: async () => free.pop() ?? new Promise((resolve) => waiting.push(resolve)),
      releaseConnection: async (connection) => {
        const one = mine(connection);
        one.leave();
        const next = waiting.shift();
        if (next === undefined) free.push(one);
        else next(one);
      },
      beginTransaction: (connection) => mine(connection).begin(),
      commitTransaction: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('commit'));
      },
      rollbackTransaction: (connection) => mine(connection).rollback(),
      destroy: async () => {
        await Promise.all(all.map((one) => one.end()));
      },
    }),
  };
  return { dialect, isLent: () => isLent };
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
    connection?.leave();
  }
}

/** The connections of a pool go to one host, until one of them is lost. */
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
  /** The number of the connection that a query would be sent on; a new connection has a new number. */
  let generation = 0;
  /** The generation a transaction was begun on; on any other it is lost. */
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
  const query = async (sql: string, parameters: (string | number | null)[], prepare: boolean) => {
    try {
      client ??= await connect();
      return await answered(client.unsafe(sql, parameters, { prepare }), options.queryTimeoutMs);
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
      // Kysely's own driver interface trusts the row type that the query was built with.
      return { numAffectedRows: BigInt(result.count ?? 0), rows: Array.from(result) as R[] };
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
      // The error that led here is the one to tell; a connection that cannot even roll back is dropped with the rest.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(discard);
    },
    leave() {
      begunOn = undefined;
    },
    async backendPid() {
      // Not prepared: with a pooler that lends connections it would be unknown the second time.
      const [row] = await query('select pg_backend_pid() as pid', [], false);
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

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) that are not about the statement. */
const serverTroubles: Readonly<Record<string, string>> = {
  '28P01': 'check user and password in DATABASE_URL',
  '28000': 'check user, password and sslmode in DATABASE_URL, and pg_hba.conf on the server',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '42501': 'grant the user of DATABASE_URL the rights on its database and schema',
  '42704': 'check the part of DATABASE_URL after the question mark',
  '25006': 'the server is read-only; point DATABASE_URL at the primary',
  // A prepared statement that is not there.
  '26000': lentMeanwhile,
  '53100': 'the disk of the server is full; free some space',
  '53300': 'lower HOSTLER_DATABASE_CONNECTIONS or raise max_connections on the server',
  '57P01': 'the server is shutting down; try again when it is up',
  '57P02': 'the server is restarting; try again when it is up',
  '57P03': 'the server is starting; try again when it is up',
};

const lostConnection = 'check that the server runs and can be reached from here';

/** Errors of the driver that are about our statement. */
const statementErrors = new Set(['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'UNSAFE_TRANSACTION']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isConnectionLost(error: unknown): boolean {
  // FATAL and PANIC are followed by the server closing the connection.
  // One that has become a standby is of no more use.
  if (error instanceof postgres.PostgresError) return error.severity !== 'ERROR' || error.code === '25006';
  return error instanceof QueryTimeout || !statementErrors.has(codeOf(error));
}

function explainPostgres(error: unknown, label: string): unknown {
  const advice = serverTroubles[codeOf(error)] ?? (isConnectionLost(error) ? lostConnection : undefined);
  if (advice === undefined || !(error instanceof Error)) return error;
  // An AggregateError (every address of a host name refused) has an empty message.
  const words = error.message === '' ? codeOf(error) : error.message.replace(/^write /, '');
  return new StoreUnavailable(`using ${label}: ${words}; ${advice}`, { cause: error });
}
