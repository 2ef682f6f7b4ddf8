import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Client, DatabaseError, Pool, type PoolClient } from 'pg';
import { orLate } from '../../core/async/within.ts';
import { codeOf, StoreUnavailable } from '../../core/view/errors.ts';
import { clientOptions, reachHost } from './client-options.ts';
import type { PostgresAddress, PostgresHost } from './postgres-address.ts';
import { lentMeanwhile, proveConnections } from './prove-connections.ts';

export interface PostgresOptions {
  poolSize: number;
  /** Connections to open and check before the first use, so that a server with too few of them is noticed then. */
  provenAtStart: number;
  connectTimeoutMs: number;
  /** A query without a response for this long means that the connection is lost. */
  queryTimeoutMs: number;
}

export function createPostgresDialect(address: PostgresAddress, options: PostgresOptions): Dialect {
  return new PostgresDialect({ pool: () => openPool(address, options) });
}

/** The pool for Kysely. Its connections time their queries, prepare their statements and explain their errors. */
async function openPool(
  address: PostgresAddress,
  { poolSize, provenAtStart, connectTimeoutMs, queryTimeoutMs }: PostgresOptions,
) {
  const { label } = address;
  const server = clientOptions(address, connectTimeoutMs);
  const idle = new Set<PoolClient>();
  // All connections use the same host, until one of them is lost.
  let host: Promise<PostgresHost> | undefined;
  // The options are the client's own: the time limit of the pool would also count the wait for a busy connection.
  const pool = new Pool({ max: poolSize, idleTimeoutMillis: 0, Client: Client.bind(null, server) });
  pool.on('connect', (client) => {
    // An error without a listener would end the process. The next statement notices it.
    client.on('error', () => {});
  });
  pool.on('error', () => {});
  pool.on('remove', (client) => {
    idle.delete(client);
    host = undefined;
  });

  const acquire = async () => {
    for (;;) {
      host ??= reachHost(address.hosts, server, connectTimeoutMs);
      try {
        Object.assign(server, await host);
        const client = await pool.connect();
        if (!isBroken(client)) return client;
        client.release(true);
      } catch (error) {
        host = undefined;
        throw explainPostgres(error, label);
      }
    }
  };

  /** A pooler lends the connections, so that a prepared statement could be unknown the next time. */
  let isLent = false;
  const names = new Map<string, string>();
  /** Without a name the server would plan the statement each time, which doubles its work (8.23.1, on PostgreSQL 18). */
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `h${names.size}`;
    names.set(text, name);
    return name;
  };
  const query = async (client: PoolClient, text: string, values: unknown[] = [], withinMs = queryTimeoutMs) => {
    try {
      if (isBroken(client)) throw new Error('the connection broke, nothing was saved');
      const name = isLent || values.length === 0 ? undefined : nameOf(text);
      const late = () => new QueryTimeout(`no answer within ${withinMs / 1000} s`);
      return await orLate(client.query({ name, text, values }), withinMs, late);
    } catch (error) {
      // If one connection went silent, the idle ones probably did too; each would cost another timeout.
      if (error instanceof QueryTimeout) for (const silent of idle) silent.connection.stream.destroy();
      if (isConnectionLost(error)) client.connection.stream.destroy();
      // Kysely would report this error, and not the error that caused the rollback.
      if (text === 'rollback' && isBroken(client)) return { command: 'ROLLBACK', rows: [] };
      throw explainPostgres(error, label);
    }
  };
  const lend = async () => {
    const client = await acquire();
    idle.delete(client);
    return {
      query: (text: string, values?: unknown[], withinMs?: number) => query(client, text, values, withinMs),
      release(isDestroyed = false) {
        idle.add(client);
        client.release(isDestroyed || isBroken(client));
      },
    };
  };

  const taken = Array.from({ length: provenAtStart }, lend);
  const proven = taken.map((lending) => async (withinMs?: number) => {
    const { rows } = await (await lending).query('select pg_backend_pid() as pid', [], withinMs);
    return Number(rows[0]?.pid);
  });
  const giveBack = (isDestroyed: boolean) => {
    for (const lending of taken) lending.then(({ release }) => release(isDestroyed)).catch(() => {});
  };
  try {
    ({ isLent } = await proveConnections(proven, label));
    if (isLent) await proveTransactions(await taken[0], label);
    giveBack(false);
  } catch (error) {
    giveBack(true);
    pool.end().catch(() => {});
    throw error;
  }
  // The store passes no cursors, which are Kysely's other form of a query.
  const connect = lend as unknown as () => Promise<PostgresPoolClient>;
  return { connect, end: () => pool.end(), options: {} };
}

/** A pooler that lends connections may allow no transactions. */
async function proveTransactions(client: { query(text: string): Promise<unknown> } | undefined, label: string) {
  try {
    await client?.query('begin');
    await client?.query('rollback');
  } catch (error) {
    const remedy = 'set pool_mode = transaction or session for this database';
    throw new StoreUnavailable(`opening ${label}: a pooler in between allows no transactions; ${remedy}`, {
      cause: error,
    });
  }
}

class QueryTimeout extends Error {
  override name = 'QueryTimeout';
}

/** The driver's own answer comes a turn of the event loop later. */
function isBroken(client: PoolClient): boolean {
  return client.connection.stream.destroyed;
}

/** Remedies for SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) that no statement causes. */
const serverTroubles: Readonly<Record<string, string>> = {
  // A prepared statement whose result has other columns since.
  '0A000': 'its tables were changed meanwhile; if this continues, restart the bot',
  '28P01': 'check user and password in DATABASE_URL',
  '28000': 'check user, password and sslmode in DATABASE_URL, and pg_hba.conf on the server',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '42501': 'grant the user of DATABASE_URL the rights on its database and schema',
  '42704': 'check the part of DATABASE_URL after the question mark',
  '25006': 'the server is read-only; point DATABASE_URL at the primary',
  // The prepared statement does not exist, or exists already.
  '26000': lentMeanwhile,
  '42P05': lentMeanwhile,
  '53100': 'the disk of the server is full; free some space',
  '53300': 'lower HOSTLER_DATABASE_CONNECTIONS or raise max_connections on the server',
  '57P01': 'the server is shutting down; try again when it is up',
  '57P02': 'the server is restarting; try again when it is up',
  '57P03': 'the server is starting; try again when it is up',
};

const lostConnection = 'check that the server runs and can be reached from here';

function isConnectionLost(error: unknown): boolean {
  // The server closes the connection after FATAL and PANIC. A server that has become a standby accepts no writes, and a
  // prepared statement whose table was changed fails on this connection for good.
  if (error instanceof DatabaseError) return error.severity !== 'ERROR' || /^(25006|0A000)$/.test(error.code ?? '');
  return true;
}

function explainPostgres(error: unknown, label: string): unknown {
  const advice = serverTroubles[codeOf(error)] ?? (isConnectionLost(error) ? lostConnection : undefined);
  if (advice === undefined || !(error instanceof Error)) return error;
  // The message of an AggregateError (every address of a host name refused) is empty.
  const words = error.message === '' ? codeOf(error) : error.message;
  return new StoreUnavailable(`using ${label}: ${words}; ${advice}`, { cause: error });
}
