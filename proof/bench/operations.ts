import { join } from 'node:path';
import { startProvider } from '../../sandbox/provider/server.ts';
import { type Amount, atMost, type Context, type Row } from './measure.ts';
import { openStage } from './stage.ts';

interface DurableAmount {
  /** The number of operations at once before the measurement. */
  readonly warmUp: number;
  /** The number of operations at once, repeated on the same servers. */
  readonly crowd: number;
  /** The number of crowds. The first is measured for a fresh process, and the last two after V8 has compiled. */
  readonly crowds: number;
  readonly together: number;
  readonly rounds: number;
  readonly replicas: readonly number[];
}

export const durableAmounts: Readonly<Record<Amount, DurableAmount>> = {
  full: { warmUp: 50, crowd: 300, crowds: 6, together: 50, rounds: 4, replicas: [1, 2, 4] },
  quick: { warmUp: 50, crowd: 100, crowds: 3, together: 50, rounds: 2, replicas: [1, 2, 4] },
  smoke: { warmUp: 1, crowd: 5, crowds: 3, together: 3, rounds: 1, replicas: [1, 2] },
};

interface Measured {
  readonly rate: number;
  /** Processor time per operation, of all processes of the bot. */
  readonly cpuMs: number;
  readonly statements: number;
}

interface Found extends Measured {
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
 * Measures whole operations: stored by the intake, planned, stored with their cards, run, sent to the provider, read
 * back, and ended on their cards and in the audit. Uses `rename`, which has no job to wait for.
 */
export async function rate(
  databaseUrl: string,
  replicas: number,
  { amount, folder }: Context,
  postgresStatements?: () => Promise<number>,
): Promise<Found> {
  const { warmUp, crowd, crowds } = durableAmounts[amount];
  const provider = await startProvider({ seed: { orders: warmUp + crowd } });
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
  const servers = provider.sim.state().orders.map(({ id }) => id);
  generation += 1;
  let asked = 0;
  const askFor = async (some: readonly string[], name: string) => {
    await Promise.all(
      some.map((server) => system.acknowledged(`rename ${server} bench-${generation}-${name}-${server}`)),
    );
    asked += some.length;
    await system.ended(asked);
  };
  const measured = async (names: readonly number[]): Promise<Measured> => {
    const statementsBefore = await countStatements();
    const cpuBefore = system.cpuMs();
    const startedAt = performance.now();
    for (const name of names) await askFor(servers.slice(warmUp), String(name));
    const ms = performance.now() - startedAt;
    const count = names.length * crowd;
    return {
      rate: (count * 1_000) / ms,
      cpuMs: (system.cpuMs() - cpuBefore) / count,
      statements: ((await countStatements()) - statementsBefore) / count,
    };
  };
  try {
    await askFor(servers.slice(0, warmUp), 'first');
    const fresh = await measured([0]);
    for (let n = 1; n < crowds - 2; n += 1) await askFor(servers.slice(warmUp), String(n));
    const running = await measured([crowds - 2, crowds - 1]);
    const cores = (running.rate * running.cpuMs) / 1_000;
    return {
      ...running,
      note: `${(100 * cores).toFixed(0)} % of a core in the bot; the first ${crowd} after its start: ${fresh.rate.toFixed(0)} a second, ${fresh.cpuMs.toFixed(1)} ms`,
    };
  } finally {
    await system.close();
    await provider.close();
  }
}
