import { startProvider } from '../../../sandbox/provider/server.ts';
import { openConsole } from '../../../test/support/database/console.ts';
import { runPostgresServer } from '../../../test/support/database/postgres-process.ts';
import { atLeast, atMost, type Context, pause, type Row, type Section } from '../measure.ts';
import { durableAmounts, rate, rowsOf } from '../operations.ts';
import { openStage } from '../stage.ts';

export const durablePostgres: Section = {
  name: 'durable-postgres',
  title: 'Durable operations per second on PostgreSQL',
  run: async (context) => {
    const { amount, say } = context;
    const rows: Row[] = [];
    const server = await startPostgres();
    try {
      rows.push(await alone(server, context));
      let single = 0;
      for (const replicas of durableAmounts[amount].replicas) {
        say(`PostgreSQL, replicas: ${replicas}`);
        const measured = await rate(server.url, replicas, context, server.statements);
        if (replicas === 1) single = measured.rate;
        const goal =
          replicas === 1
            ? atLeast(measured.rate, 100, 'at least 100')
            : atLeast(measured.rate, single, 'not fewer than with one replica');
        rows.push(...rowsOf(`PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, measured, goal));
      }
    } finally {
      await server.stop();
    }
    return rows;
  },
};

type Server = Awaited<ReturnType<typeof startPostgres>>;

/** The statements of one action, confirmed by one person, from its line to its end. Polls of an idle bot do not count. */
async function alone({ url, statements, run }: Server, { amount, folder, say }: Context): Promise<Row> {
  say('PostgreSQL, one action alone');
  await run('create database alone');
  const provider = await startProvider({ seed: { orders: 20 } });
  const system = await openStage({
    app: 'hostler',
    folder,
    provider,
    databaseUrl: new URL('/alone', url).href,
    rules: { routine: 'confirm', disruptive: 'confirm' },
  });
  const [first, second] = provider.sim.state().orders;
  const counted = async (work: () => Promise<unknown>) => {
    const [before, since] = [await statements(), performance.now()];
    await work();
    // The last messages of the action.
    await pause(1_000);
    return { count: (await statements()) - before, ms: performance.now() - since };
  };
  try {
    await system.confirmed([`rename ${first?.id} alone-1`]);
    await system.ended(1);
    await pause(1_000);
    const idle = await counted(() => pause(amount === 'smoke' ? 0 : 9_000));
    const action = await counted(async () => {
      await system.confirmed([`rename ${second?.id} alone-2`]);
      await system.ended(2);
    });
    const count = action.count - (idle.count * action.ms) / idle.ms;
    const what = 'PostgreSQL, one confirmed action alone: statements';
    return { what, unit: 'statements', hostler: count, ...atMost(count, 80, 'at most 80') };
  } finally {
    await system.close();
    await provider.close();
  }
}

const settings = [
  'max_connections=200',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=on',
  'pg_stat_statements.max=10000',
  // Statistics are collected within a second instead of a minute, since this run takes a minute, unlike a database in
  // use.
  'autovacuum_naptime=1s',
];

async function startPostgres() {
  const { url, remove } = await runPostgresServer({ settings });
  const client = await openConsole(url);
  await client.run('create extension pg_stat_statements');
  return {
    url,
    // The server's own count, including the statements that begin and end transactions.
    statements: async () => Number((await client.run('select sum(calls) as calls from pg_stat_statements'))[0]?.calls),
    run: client.run,
    stop: async () => {
      await client.close();
      await remove();
    },
  };
}
