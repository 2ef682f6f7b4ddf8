import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import postgres from 'postgres';
import { StoreUnavailable } from '../core/errors.ts';
import { orLate } from '../core/within.ts';
import type { PostgresAddress } from './address.ts';
import { type PostgresServer, postgresServer } from './postgres-options.ts';

export interface PostgresOptions {
  poolSize: number;
  connectTimeoutMs: number;
  /** A query without an answer for this long is a lost connection. */
  queryTimeoutMs: number;
}

interface PooledConnection extends DatabaseConnection {
  begin(): Promise<void>;
  rollback(): Promise<void>;
  /** Forgets a transaction that was never ended, so that the next user does not inherit it. */
  leave(): void;
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
export function createPostgresDialect(address: PostgresAddress, options: PostgresOptions): Dialect {
  const server = postgresServer(address);
  // One that went silent is seldom alone: without this, each that rests would cost a deadline of its own.
  const onSilence = () => {
    for (const one of free) one.discard();
  };
  const all = Array.from({ length: options.poolSize }, () => createConnection(server, address, options, onSilence));
  const free = [...all];
  const waiting: ((connection: PooledConnection) => void)[] = [];
  const mine = (connection: DatabaseConnection): PooledConnection => {
    const found = all.find((one) => one === connection);
    if (found === undefined) throw new Error('a connection of another pool');
    return found;
  };

  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {},
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
}

function createConnection(
  server: PostgresServer,
  { label, parameters }: PostgresAddress,
  options: PostgresOptions,
  onSilence: () => void,
): PooledConnection {
  let client: postgres.Sql | undefined;
  /** Which connection a query would be sent on: another number, another connection. */
  let generation = 0;
  /** The generation a transaction was begun on; on any other it is lost. */
  let begunOn: number | undefined;

  const connect = () => {
    const fresh: postgres.Sql = postgres({
      ...server,
      connection: parameters,
      max: 1,
      connect_timeout: options.connectTimeoutMs / 1000,
      max_lifetime: null,
      fetch_types: false,
      backoff: false,
      onnotice: () => {},
      onclose: () => {
        if (client === fresh) generation += 1;
      },
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    });
    return fresh;
  };
  const discard = () => {
    const broken = client;
    client = undefined;
    generation += 1;
    broken?.end({ timeout: 0 }).catch(() => {});
  };

  const connection: PooledConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      if (begunOn !== undefined && begunOn !== generation) {
        throw new StoreUnavailable(
          `using ${label}: the connection broke inside a transaction, nothing of it was saved`,
        );
      }
      client ??= connect();
      try {
        // The store's tables are typed with numbers, strings and null only.
        const query = client.unsafe(sql, parameters as (string | number | null)[], { prepare: true });
        const result = await answered(query, options.queryTimeoutMs);
        // Kysely's own driver interface trusts the row type that the query was built with.
        return { numAffectedRows: BigInt(result.count ?? 0), rows: Array.from(result) as R[] };
      } catch (error) {
        if (isConnectionLost(error)) discard();
        if (error instanceof QueryTimeout) onSilence();
        throw explainPostgres(error, label);
      }
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
  '53100': 'the disk of the server is full; free some space',
  '53300': 'lower the pool size or raise max_connections on the server',
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
  if (error instanceof postgres.PostgresError) return error.severity !== 'ERROR';
  return error instanceof QueryTimeout || !statementErrors.has(codeOf(error));
}

function explainPostgres(error: unknown, label: string): unknown {
  const advice = serverTroubles[codeOf(error)] ?? (isConnectionLost(error) ? lostConnection : undefined);
  if (advice === undefined || !(error instanceof Error)) return error;
  // An AggregateError (every address of a host name refused) has an empty message.
  const words = error.message === '' ? codeOf(error) : error.message.replace(/^write /, '');
  return new StoreUnavailable(`using ${label}: ${words}; ${advice}`, { cause: error });
}
