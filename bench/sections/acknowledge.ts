import { join } from 'node:path';
import { openStore } from '../../src/store/database.ts';
import { atLeast, atMost, type Context, median, quantile, type Row, type Section } from '../measure.ts';
import { openPair, type Stage } from '../stage.ts';

/** Ways to acknowledge: bare Bolt does the same whatever was asked. */
const kinds = { read: 'help', action: 'restart web-1' } as const;
type Kind = keyof typeof kinds;

export const acknowledge: Section = {
  name: 'ack',
  title: 'Acknowledgement round trip',
  run: async (context) => {
    const rows: Row[] = [];
    for (const mode of ['socket', 'http'] as const) rows.push(...(await inMode(mode, context)));
    return rows;
  },
};

async function inMode(mode: 'socket' | 'http', { isQuick, folder, say }: Context): Promise<Row[]> {
  const pair = await openPair({ mode, folder });
  const insertMs = await timeInserts(join(folder, `insert-${mode}.db`));
  const rows: Row[] = [];
  try {
    for (const kind of ['read', 'action'] as const) {
      for (const stage of [pair.hostler, pair.bare]) await burst(stage, kinds[kind], 50);
      await burst(pair.bare, kinds[kind], 200);
    }
    for (const inFlight of [1, 50, 200]) {
      const rounds = Math.ceil((isQuick ? 200 : 1_000) / Math.max(inFlight, isQuick ? 4 : 10));
      for (const kind of ['read', 'action'] as const) {
        say(`${mode}, ${kind}, ${inFlight} in flight`);
        const hostler: Burst[] = [];
        const bare: Burst[] = [];
        for (let round = 0; round < rounds; round++) {
          hostler.push(await burst(pair.hostler, kinds[kind], inFlight));
          bare.push(await burst(pair.bare, kinds[kind], inFlight));
        }
        rows.push(...rowsOf(`${mode}, ${kind}, ${inFlight} in flight`, kind, inFlight, { hostler, bare, insertMs }));
      }
    }
  } finally {
    await pair.close();
  }
  rows.push({ what: `${mode}: one durable insert (SQLite, alone)`, unit: 'ms', hostler: insertMs(1) });
  return rows;
}

interface Burst {
  readonly acks: readonly number[];
  readonly allMs: number;
}

/** So many at once; the next burst begins when everything that these caused has been said. */
async function burst(stage: Stage, line: string, count: number): Promise<Burst> {
  const since = stage.posted();
  const startedAt = performance.now();
  const acks = await Promise.all(Array.from({ length: count }, () => stage.acknowledged(line)));
  const allMs = performance.now() - startedAt;
  await stage.quiet(since, count, count === 1 ? 20 : 150);
  return { acks, allMs };
}

function rowsOf(
  what: string,
  kind: Kind,
  inFlight: number,
  { hostler, bare, insertMs }: { hostler: Burst[]; bare: Burst[]; insertMs: (inFlight: number) => number },
): Row[] {
  const at = (share: number) => {
    const figures = {
      hostler: quantile(
        hostler.flatMap(({ acks }) => acks),
        share,
      ),
      bare: quantile(
        bare.flatMap(({ acks }) => acks),
        share,
      ),
    };
    const limit = figures.bare * 1.2 + (kind === 'action' ? insertMs(inFlight) : 0);
    const words = kind === 'action' ? `1.2 of bare + one insert: ${limit.toFixed(2)}` : '1.2 of bare';
    return { ...figures, ...atMost(figures.hostler, limit, `at most ${words}`) };
  };
  const rows: Row[] = [
    { what: `${what}, p50`, unit: 'ms', ...at(0.5) },
    { what: `${what}, p99`, unit: 'ms', ...at(0.99) },
  ];
  if (kind === 'action' && inFlight === 200) {
    const rate = (bursts: Burst[]) => (inFlight * 1_000) / median(bursts.map(({ allMs }) => allMs));
    const rates = { hostler: rate(hostler), bare: rate(bare) };
    rows.push({
      what: `${what}, acknowledged`,
      unit: '/s',
      ...rates,
      ...atLeast(rates.hostler, rates.bare / 2, 'at least 0.5 of bare'),
    });
  }
  return rows;
}

/** What one durable insert costs here and now, alone and when so many arrive at once and share commits. */
async function timeInserts(file: string): Promise<(inFlight: number) => number> {
  const store = await openStore(file);
  const body = JSON.stringify({ text: 'x'.repeat(300) });
  let n = 0;
  const times = new Map<number, number>();
  for (const inFlight of [1, 50, 200]) {
    const taken: number[] = [];
    for (let round = 0; round < 1_000 / inFlight; round++) {
      const one = async () => {
        const startedAt = performance.now();
        await store.inbox.receive({ key: `bench-${n++}`, kind: 'line', body });
        taken.push(performance.now() - startedAt);
      };
      await Promise.all(Array.from({ length: inFlight }, one));
    }
    times.set(inFlight, median(taken));
  }
  await store.close();
  return (inFlight) => times.get(inFlight) ?? Number.NaN;
}
