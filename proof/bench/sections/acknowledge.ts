import { join } from 'node:path';
import { openStore, type Store } from '../../../src/store/database.ts';
import {
  type Amount,
  atLeast,
  atMost,
  type Context,
  median,
  medianOf,
  quantile,
  type Row,
  type Section,
} from '../measure.ts';
import { openPair, type Stage } from '../stage.ts';

/** Kinds of acknowledgements; bare Bolt does the same for both. */
const kinds = { read: 'help', action: 'restart web-1' } as const;
type Kind = keyof typeof kinds;

/** The number of rounds, in which both apps and the insert alternate, and of bursts in each round. */
const loads: Readonly<Record<Amount, readonly Load[]>> = {
  full: [
    { inFlight: 1, bursts: 15, rounds: 8 },
    { inFlight: 50, bursts: 2, rounds: 8 },
    { inFlight: 200, bursts: 1, rounds: 6 },
  ],
  quick: [
    { inFlight: 1, bursts: 15, rounds: 3 },
    { inFlight: 50, bursts: 2, rounds: 3 },
    { inFlight: 200, bursts: 1, rounds: 3 },
  ],
  smoke: [
    { inFlight: 1, bursts: 1, rounds: 1 },
    { inFlight: 20, bursts: 1, rounds: 1 },
  ],
};
interface Load {
  readonly inFlight: number;
  readonly bursts: number;
  readonly rounds: number;
}

export const acknowledge: Section = {
  name: 'ack',
  title: 'Acknowledgement round trip',
  run: async (context) => {
    const rows: Row[] = [];
    for (const mode of ['socket', 'http'] as const) rows.push(...(await inMode(mode, context)));
    return rows;
  },
};

interface Round {
  readonly hostler: BurstTimes;
  readonly bare: BurstTimes;
  /** The cost of a durable insert in the same round, alone or with the same number at once. */
  readonly insertMs: readonly number[];
}

interface BurstTimes {
  readonly acks: readonly number[];
  /** The time until the last of a burst was acknowledged. */
  readonly allMs: readonly number[];
  /** The processor time until all work of a burst was done. */
  readonly cpuMs: number;
}

async function inMode(mode: 'socket' | 'http', { amount, folder, say }: Context): Promise<Row[]> {
  const pair = await openPair({ mode, folder });
  const inserts = await openStore(join(folder, `insert-${mode}.db`));
  const rows: Row[] = [];
  const alone: number[] = [];
  const most = Math.max(...loads[amount].map(({ inFlight }) => inFlight));
  try {
    for (const kind of ['read', 'action'] as const) {
      // Opens all connections and compiles the code, on both sides.
      for (const system of [pair.hostler, pair.bare]) await sendBursts(system, kind, { inFlight: most, bursts: 2 });
    }
    for (const load of loads[amount]) {
      for (const kind of ['read', 'action'] as const) {
        say(`${mode}, ${kind}, ${load.inFlight} in flight`);
        const rounds: Round[] = [];
        for (let n = 0; n < load.rounds; n++) {
          const hostler = await sendBursts(pair.hostler, kind, load);
          const insertMs = await timeInserts(inserts, load);
          rounds.push({ hostler, insertMs, bare: await sendBursts(pair.bare, kind, load) });
          if (load.inFlight === 1) alone.push(...insertMs);
        }
        const what = `${mode}, ${kind}, ${load.inFlight} in flight`;
        rows.push(...rowsOf(what, kind, rounds));
        if (kind === 'action' && load.inFlight === most) rows.push(grouped(what, load, rounds));
      }
    }
  } finally {
    await Promise.all([pair.close(), inserts.close()]);
  }
  rows.push({ what: `${mode}: one durable insert (SQLite, alone), p50`, unit: 'ms', hostler: median(alone) });
  return rows;
}

/** Sends bursts of commands; a burst begins when all messages of the previous one are posted. */
async function sendBursts(system: Stage, kind: Kind, load: Pick<Load, 'inFlight' | 'bursts'>): Promise<BurstTimes> {
  const acks: number[] = [];
  const allMs: number[] = [];
  const cpuBefore = system.cpuMs();
  for (let n = 0; n < load.bursts; n++) {
    const since = system.posted();
    const startedAt = performance.now();
    acks.push(...(await Promise.all(Array.from({ length: load.inFlight }, () => system.acknowledged(kinds[kind])))));
    allMs.push(performance.now() - startedAt);
    await system.quiet(since, load.inFlight, load.inFlight > 1 ? 150 : kind === 'read' ? 20 : 80);
  }
  return { acks, allMs, cpuMs: (system.cpuMs() - cpuBefore) / acks.length };
}

let inserted = 0;

async function timeInserts(store: Store, { inFlight, bursts }: Load): Promise<number[]> {
  const body = JSON.stringify({ text: 'x'.repeat(300) });
  const taken: number[] = [];
  for (let n = 0; n < bursts; n++) {
    const insertRow = async () => {
      const startedAt = performance.now();
      await store.inbox.receive({ key: `bench-${inserted++}`, body });
      taken.push(performance.now() - startedAt);
    };
    await Promise.all(Array.from({ length: inFlight }, insertRow));
  }
  return taken;
}

function rowsOf(what: string, kind: Kind, rounds: readonly Round[]): Row[] {
  const all = (of: (round: Round) => readonly number[]) => rounds.flatMap((round) => of(round));
  const cpu = {
    hostler: medianOf(rounds, ({ hostler }) => hostler.cpuMs),
    bare: medianOf(rounds, ({ bare }) => bare.cpuMs),
  };
  return [
    { share: 0.5, of: rounds },
    // The 99th percentile needs the times of all rounds.
    { share: 0.99, of: [joined(rounds)] },
  ].map(({ share, of }) => {
    const inRound = of.map(({ hostler, bare, insertMs }) => ({
      hostler: quantile(hostler.acks, share),
      bare: quantile(bare.acks, share),
      insert: kind === 'action' ? quantile(insertMs, share) : 0,
    }));
    const insert = medianOf(inRound, (round) => round.insert);
    const words = kind === 'action' ? `1.2 of bare + one insert: ${insert.toFixed(2)} ms` : '1.2 of bare';
    return {
      what: `${what}, p${share * 100}`,
      unit: 'ms',
      hostler: quantile(
        all(({ hostler }) => hostler.acks),
        share,
      ),
      bare: quantile(
        all(({ bare }) => bare.acks),
        share,
      ),
      ratio: medianOf(inRound, (round) => round.hostler / round.bare),
      // An action continues after its acknowledgement with a card and its edits, unlike bare Bolt.
      ...(kind === 'read' && share === 0.5 ? { cpu } : {}),
      ...atMost(
        medianOf(inRound, (round) => (round.hostler - round.insert) / round.bare),
        1.2,
        `at most ${words}`,
      ),
    };
  });
}

/** Acknowledgements per second in bursts, whose requests share commits. */
function grouped(what: string, { inFlight }: Load, rounds: readonly Round[]): Row {
  const rate = (times: BurstTimes) => (inFlight * 1_000) / median(times.allMs);
  const ratio = medianOf(rounds, ({ hostler, bare }) => rate(hostler) / rate(bare));
  return {
    what: `${what}, acknowledged`,
    unit: '/s',
    hostler: medianOf(rounds, ({ hostler }) => rate(hostler)),
    bare: medianOf(rounds, ({ bare }) => rate(bare)),
    ratio,
    ...atLeast(ratio, 0.5, 'at least 0.5 of bare'),
  };
}

function joined(rounds: readonly Round[]): Round {
  const timesOf = (of: (round: Round) => BurstTimes): BurstTimes => ({
    acks: rounds.flatMap((round) => of(round).acks),
    allMs: rounds.flatMap((round) => of(round).allMs),
    cpuMs: medianOf(rounds, (round) => of(round).cpuMs),
  });
  return {
    hostler: timesOf(({ hostler }) => hostler),
    bare: timesOf(({ bare }) => bare),
    insertMs: rounds.flatMap(({ insertMs }) => insertMs),
  };
}
