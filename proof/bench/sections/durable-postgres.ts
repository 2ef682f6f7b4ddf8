import { openConsole } from '../../../test/support/database/console.ts';
import { runPostgresServer } from '../../../test/support/database/postgres-process.ts';
import { atLeast, type Row, type Section } from '../measure.ts';
import { durableAmounts, rate, rowsOf } from '../operations.ts';

export const durablePostgres: Section = {
  name: 'durable-postgres',
  title: 'Durable operations per second on PostgreSQL',
  run: async (context) => {
    const { amount, say } = context;
    const rows: Row[] = [];
    const server = await startPostgres();
    try {
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

const settings = [
  'max_connections=200',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=on',
  'pg_stat_statements.max=10000',
  // Statistics are collected within a second instead of a minute, since this run takes a minute, unlike a database in
  // use.
  'autovacuum_naptime=1s',
];

async function startPostgres(): Promise<{ url: string; statements: () => Promise<number>; stop: () => Promise<void> }> {
  const { url, remove } = await runPostgresServer({ settings });
  const client = await openConsole(url);
  await client.run('create extension pg_stat_statements');
  return {
    url,
    // The server's own count, including the statements that begin and end transactions.
    statements: async () => Number((await client.run('select sum(calls) as calls from pg_stat_statements'))[0]?.calls),
    stop: async () => {
      await client.close();
      await remove();
    },
  };
}
