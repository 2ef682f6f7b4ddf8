import { Socket } from 'node:net';
import { Logger, run, runMigrations, type Runner as Worker } from 'graphile-worker';
import type pg from 'pg';
import { z } from 'zod';
import { StoreUnavailable } from '../../core/errors.ts';
import { orLate, within } from '../../core/within.ts';
import type { PostgresAddress } from '../../store/postgres-address.ts';
import { reachHost } from '../../store/postgres-client.ts';
import { postgresServer } from '../../store/postgres-options.ts';
import type { Log } from '../context/dependencies.ts';
import { QueuePool } from './queue-pool.ts';
import { queueConnections, type Runs } from './runs.ts';

const payloadSchema = z.object({ operation: z.string() });

export interface PostgresRunsOptions {
  /** No call takes longer. */
  readonly answerWithinMs?: number;
  /** Jobs are announced by notifications; polling finds a job whose notification was lost. */
  readonly pollEveryMs?: number;
}

interface Line {
  readonly pool: pg.Pool;
  readonly worker: Worker;
  readonly drop: () => void;
}

/**
 * graphile-worker tells replicas that a turn is due, and nothing more: a job that a killed worker holds for four hours
 * does no harm, since the rows say what is due. It does not come back by itself from connections that went silent (seen
 * with 0.18.0), so after a while without any activity the bot drops its sockets and starts it again.
 */
export function createPostgresRuns(
  address: PostgresAddress,
  log: Log,
  { answerWithinMs = 5_000, pollEveryMs = 5_000 }: PostgresRunsOptions = {},
): Runs {
  /** Longer than a poll and its deadline: a worker without activity for so long hangs. */
  const stuckAfterMs = 2 * pollEveryMs + answerWithinMs;
  let take: ((operation: string) => Promise<void>) | undefined;
  let heardAt = performance.now();
  let line: Line | undefined;
  let opening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const logger = new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ level }, `turns: ${message}`);
  });

  async function open(): Promise<void> {
    const { pool, drop } = await openPool(address, log, answerWithinMs);
    try {
      await openAll(pool, address.label);
      await runMigrations({ pgPool: pool, logger });
      const worker = await run({
        pgPool: pool,
        logger,
        noHandleSignals: true,
        concurrency: queueConnections - 1,
        pollInterval: pollEveryMs,
        taskList: { turn: (payload) => taken(payload) },
        // Without them a job that cannot be noted as done is an unhandled rejection, which would end the process (0.18.0).
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      });
      const mine: Line = { pool, worker, drop };
      // Only successful calls count: a worker whose every poll fails hangs, too.
      const hear = () => {
        if (line === mine) heardAt = performance.now();
      };
      worker.events.on('worker:getJob:empty', hear);
      worker.events.on('job:start', hear);
      // It ends by itself when it cannot continue.
      worker.promise
        .catch((error: unknown) => log.warn({ err: error }, 'turns: the worker ended'))
        .finally(() => {
          if (line === mine) heardAt = Number.NEGATIVE_INFINITY;
        });
      line = mine;
      hear();
    } catch (error) {
      drop();
      throw error;
    }
  }

  async function taken(payload: unknown): Promise<void> {
    const job = payloadSchema.safeParse(payload);
    if (job.success) await take?.(job.data.operation);
  }

  function reopen(): void {
    opening ??= (async () => {
      const old = line;
      line = undefined;
      old?.worker.stop().catch(() => undefined);
      old?.drop();
      await orLate(open(), 2 * answerWithinMs, () => new Error('opening the queue of turns: no answer'));
    })()
      .catch((error) => log.warn({ err: error }, 'turns: the queue cannot be reached; the rows are looked at instead'))
      .finally(() => {
        opening = undefined;
      });
  }

  return {
    isLocal: false,
    ask: async (operation) => {
      if (line === undefined) throw new Error('the queue of turns is away');
      // One job for an operation, however often it is asked for before anybody has taken it.
      await orLate(
        line.pool.query(
          "select graphile_worker.add_job('turn', json_build_object('operation', $1::text), job_key := $1::text)",
          [operation],
        ),
        answerWithinMs,
        () => new Error('asking for a turn: no answer'),
      );
    },
    start: async (given) => {
      take = given;
      await open();
      timer = setInterval(() => {
        if (!isStopped && (line === undefined || performance.now() - heardAt > stuckAfterMs)) reopen();
      }, pollEveryMs);
      timer.unref();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await opening;
      const last = line;
      line = undefined;
      await within(Promise.resolve(last?.worker.stop()), answerWithinMs);
      last?.drop();
    },
  };
}

/** All of them at once, so that a server that has no more to give is found out at the start. */
async function openAll(pool: pg.Pool, label: string): Promise<void> {
  const clients = await Promise.allSettled(Array.from({ length: queueConnections }, () => pool.connect()));
  for (const client of clients) if (client.status === 'fulfilled') client.value.release();
  const refused = clients.filter((client) => client.status === 'rejected');
  const [first] = refused;
  if (first === undefined) return;
  const words = first.reason instanceof Error ? first.reason.message : 'no reason given';
  throw new StoreUnavailable(
    `opening ${label}: ${refused.length} of the ${queueConnections} connections of the queue are not to be had (${words}); lower HOSTLER_DATABASE_CONNECTIONS, or raise default_pool_size of PgBouncer or max_connections of PostgreSQL`,
    { cause: first.reason },
  );
}

/** The types of pg-pool lack it (8.15.6): it is waited for before a new connection is handed out. */
interface PoolHooks {
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
}

async function openPool(
  address: PostgresAddress,
  log: Log,
  answerWithinMs: number,
): Promise<{ pool: pg.Pool; drop: () => void }> {
  const sockets = new Set<Socket>();
  const poolOptions: pg.PoolConfig & PoolHooks = {
    ...postgresServer(address, await reachHost(address, answerWithinMs)),
    options: address.options,
    max: queueConnections,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    // With a statement, because PgBouncer refuses these two among the words that open a connection.
    onConnect: async (client) => {
      await client.query(
        `set statement_timeout = ${answerWithinMs}; set idle_in_transaction_session_timeout = ${answerWithinMs}`,
      );
    },
    keepAlive: true,
    application_name: `${address.applicationName} turns`,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  };
  const pool = new QueuePool(poolOptions);
  const onError = (error: Error) => log.debug({ err: error }, 'turns: a connection broke');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    pool,
    drop: () => {
      for (const socket of sockets) socket.destroy();
      pool.end().catch(() => undefined);
    },
  };
}
