import { join } from 'node:path';
import { numbers } from '../../../sandbox/provider/numbers.ts';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { openStore, type Store } from '../../../src/store/database.ts';
import { openOperations } from '../../../test/support/bot/open-operations.ts';
import { watchBusy } from '../busy.ts';
import { type Amount, type Context, median, pause, type Row, type Section } from '../measure.ts';
import { byPast } from '../past.ts';
import { openStage, type Stage } from '../stage.ts';

/** The growth of a figure from the smallest to the largest size. */
type Growth = 'flat' | 'logarithmic' | 'linear or worse';

interface Amounts {
  readonly orders: readonly number[];
  readonly watched: readonly number[];
  readonly audit: readonly number[];
  /** Ended requests, each with one audit row. */
  readonly past: readonly [least: number, most: number];
  /** The number of runs of each command before the measurement, and in it. */
  readonly warmUp: number;
  readonly counted: number;
  readonly restMs: number;
}
const often = { warmUp: 20, counted: 40, restMs: 5_000 };
const amounts: Readonly<Record<Amount, Amounts>> = {
  full: {
    ...often,
    orders: [10, 100, 1_000, 10_000],
    watched: [10, 100, 1_000, 5_000],
    audit: [100, 1_000, 10_000, 100_000],
    past: [1_000, 1_000_000],
  },
  quick: { ...often, orders: [10, 1_000], watched: [10, 100], audit: [100, 10_000], past: [1_000, 100_000] },
  smoke: { warmUp: 1, counted: 2, restMs: 100, orders: [10], watched: [1, 2], audit: [10], past: [10, 100] },
};

export const growth: Section = {
  name: 'growth',
  title: 'Growth',
  run: async (context) => [
    ...(await byOrders(context)),
    ...(await byWatched(context)),
    ...(await byAudit(context)),
    ...(await byPast(context, amounts[context.amount].past)),
  ],
};

async function byOrders({ amount, folder, say }: Context): Promise<Row[]> {
  const results: Measured[] = [];
  for (const orders of amounts[amount].orders) {
    say(`${orders} orders`);
    const provider = await startProvider({ seed: { orders: Math.min(orders, numbers.ordersSeedMax) } });
    const system = await openStage({ app: 'hostler', folder, provider });
    const busy = watchBusy(provider.port);
    try {
      // The same server at every size, so that only the search grows, not its result.
      const orderId = provider.sim.state().orders.find(({ name }) => name === 'web-1')?.id;
      // The first read fetches every page, as after a restart, and is reported separately.
      busy.reset();
      const firstMs = (await system.answered('status web-1')) - busy.ms();
      results.push({
        size: orders,
        first: firstMs,
        ...(await measure(system, amount, ['status web-1', `list ${orderId}`], () => busy.ms())),
      });
    } finally {
      busy.stop();
      await system.close();
      await provider.close();
    }
  }
  return [
    ...rowsOf('orders', results),
    ...results.map(
      ({ size, first = Number.NaN }): Row => ({
        what: `${size} orders: the first command after a start`,
        unit: 'ms',
        hostler: first,
      }),
    ),
  ];
}

/** Jobs that never end, stored as after a crash: the bot resumes all of them at its start. */
async function byWatched({ amount, folder, say }: Context): Promise<Row[]> {
  const { watched: sizes, restMs } = amounts[amount];
  const results: Measured[] = [];
  const provider = await startProvider({ seed: { orders: 20 }, jobMs: 24 * 3_600_000 });
  const databaseUrl = join(folder, 'watched.db');
  const open = () => openStage({ app: 'hostler', folder, provider, databaseUrl, rules: { disruptive: 'none' } });
  try {
    const first = await open();
    const id = await begin(first, databaseUrl);
    await first.close();
    let begun = 1;
    for (const size of sizes) {
      say(`${size} watched jobs`);
      const store = await openStore(databaseUrl);
      for (; begun < size; begun += 100) await copy(store, id, begun, Math.min(100, size - begun));
      begun = size;
      await store.close();
      const since = performance.now();
      const system = await open();
      try {
        await watching(system, size);
        const takenUp = ((performance.now() - since) / 1_000).toFixed(0);
        const cpuMs = system.cpuMs();
        await pause(restMs);
        const busy = ((100 * (system.cpuMs() - cpuMs)) / restMs).toFixed(0);
        const note = `all taken up ${takenUp} s after the start began; then ${busy} % of a core while nobody asks`;
        results.push({ size, note, ...(await measure(system, amount, ['version', 'status web-1'], () => 0)) });
      } finally {
        await system.close();
      }
    }
  } finally {
    await provider.close();
  }
  return rowsOf('watched jobs', results);
}

/** Runs one real restart, whose rows are then copied. */
async function begin(system: Stage, databaseUrl: string): Promise<string> {
  await system.acknowledged('restart web-1');
  await watching(system, 1);
  const store = await openStore(databaseUrl);
  const [operation] = await openOperations(store);
  await store.close();
  if (operation === undefined) throw new Error('the restart to copy is not there');
  return operation.id;
}

async function copy(store: Store, id: string, from: number, count: number): Promise<void> {
  const operation = await store.operations.find(id);
  const [step] = await store.steps.list(id);
  if (operation === undefined || step === undefined) throw new Error(`operation ${id} is gone`);
  const { updatedAt: _, nextTurnAt, turnOwner, turnUntil, turnFailures, ...kept } = operation;
  await Promise.all(
    Array.from({ length: count }, async (___, n) => {
      const copied = `watched${from + n}`;
      const { target, label, data } = step;
      await store.operations.insert({ ...kept, id: copied }, [{ n: 0, target, label, data }]);
      await store.steps.move(copied, 0, 'pending', 'running', { attempt: copied });
      await store.steps.move(copied, 0, 'running', 'accepted', { receipt: step.receipt, job: step.job });
    }),
  );
}

async function watching(system: Stage, count: number): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${system.app.port}/metrics`);
    const watched = Number(/^hostler_watched_steps (\d+)/m.exec(await answer.text())?.[1]);
    if (watched >= count) return;
    if (performance.now() > until) throw new Error(`${watched} of ${count} jobs are watched, and no more come`);
    await pause(250);
  }
}

async function byAudit({ amount, folder, say }: Context): Promise<Row[]> {
  const results: Measured[] = [];
  const provider = await startProvider({ seed: { orders: 20 } });
  const databaseUrl = join(folder, 'audit.db');
  let written = 0;
  try {
    for (const size of amounts[amount].audit) {
      say(`${size} audit rows`);
      const store = await openStore(databaseUrl);
      const text = 'restart web-1: a shutdown, then a boot';
      while (written < size) {
        const some = Math.min(200, size - written);
        await Promise.all(
          Array.from({ length: some }, (_, n) =>
            store.audit.append({ kind: 'answered', actor: `U${n}`, channel: 'C0OPS00001', text }),
          ),
        );
        written += some;
      }
      await store.close();
      const system = await openStage({ app: 'hostler', folder, provider, databaseUrl });
      try {
        results.push({ size, ...(await measure(system, amount, ['version', 'requests'], () => 0)) });
      } finally {
        await system.close();
      }
    }
  } finally {
    await provider.close();
  }
  return rowsOf('audit rows', results);
}

interface Measured {
  readonly size: number;
  readonly commands: ReadonlyMap<string, number>;
  readonly residentMb: number;
  readonly first?: number;
  readonly note?: string;
}

/** The median of each command, without the time that `away` counts. */
async function measure(
  system: Stage,
  amount: Amount,
  lines: readonly string[],
  awayMs: () => number,
): Promise<Pick<Measured, 'commands' | 'residentMb'>> {
  const { warmUp, counted } = amounts[amount];
  const commands = new Map<string, number>();
  for (const line of lines) {
    const taken: number[] = [];
    for (let n = 0; n < warmUp + counted; n++) {
      const before = awayMs();
      const ms = await system.answered(line);
      if (n >= warmUp) taken.push(ms - (awayMs() - before));
    }
    commands.set(line, median(taken));
  }
  return { commands, residentMb: system.app.residentMb() };
}

function rowsOf(what: string, results: readonly Measured[]): Row[] {
  const figures = [
    ...[...(results[0]?.commands.keys() ?? [])].map((line) => ({
      name: `/host ${line}`,
      unit: 'ms',
      of: ({ commands }: Measured) => commands.get(line) ?? Number.NaN,
    })),
    { name: 'resident', unit: 'MB', of: ({ residentMb }: Measured) => residentMb },
  ];
  return figures.flatMap(({ name, unit, of }) =>
    results.map((result, index): Row => {
      const note = result.note === undefined ? {} : { note: result.note };
      const row = { what: `${result.size} ${what}: ${name}`, unit, hostler: of(result), ...note };
      if (index < results.length - 1) return row;
      const kind = growthOf(results.map((each) => [each.size, of(each)] as const));
      return { ...row, goal: `flat or logarithmic: ${kind}`, isMet: kind !== 'linear or worse' };
    }),
  );
}

/** Flat within a third; logarithmic if each tenfold size adds at most half of the smallest figure. */
function growthOf(points: readonly (readonly [size: number, figure: number])[]): Growth {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'flat';
  const ratio = last[1] / first[1];
  if (ratio <= 4 / 3) return 'flat';
  return ratio <= 1 + 0.5 * Math.log10(last[0] / first[0]) ? 'logarithmic' : 'linear or worse';
}
