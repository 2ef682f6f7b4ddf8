import { join } from 'node:path';
import { startProvider } from '../sandbox/provider/server.ts';
import { type Amount, atMost, type Context, type Row } from './measure.ts';
import { openStage } from './stage.ts';

export const durableAmounts: Readonly<
  Record<Amount, { warmUp: number; counted: number; together: number; rounds: number; replicas: readonly number[] }>
> = {
  full: { warmUp: 50, counted: 300, together: 50, rounds: 4, replicas: [1, 2, 4] },
  quick: { warmUp: 50, counted: 100, together: 50, rounds: 2, replicas: [1, 2, 4] },
  smoke: { warmUp: 1, counted: 5, together: 3, rounds: 1, replicas: [1, 2] },
};

interface Found {
  readonly rate: number;
  /** Per operation, of all processes of the bot. */
  readonly cpuMs: number;
  readonly statements: number;
  readonly note: string;
}

export function rowsOf(
  what: string,
  { rate, cpuMs, statements, note }: Found,
  goal: Pick<Row, 'goal' | 'isMet'>,
): Row[] {
  return [
    { what, unit: '/s', hostler: rate, note, ...goal },
    { what: `${what}: processor time`, unit: 'ms', hostler: cpuMs, ...atMost(cpuMs, 8, 'at most 8 ms') },
    { what: `${what}: statements`, unit: 'statements', hostler: statements, ...atMost(statements, 30, 'at most 30') },
  ];
}

let generation = 0;

/**
 * Whole operations, as people ask for them: stored by the intake, planned, stored with their cards, run, sent to the
 * provider, read back, their ends shown on their cards and in the audit. `rename` has no job to wait for.
 */
export async function rate(
  databaseUrl: string,
  replicas: number,
  { amount, folder }: Context,
  postgresStatements?: () => Promise<number>,
): Promise<Found> {
  const { warmUp, counted } = durableAmounts[amount];
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
