import { type Amount, atLeast, median, medianOf, type Row, type Section } from '../measure.ts';
import { openPair, type Stage } from '../stage.ts';

const amounts: Readonly<Record<Amount, { inFlight: number; warmUp: number; total: number; rounds: number }>> = {
  full: { inFlight: 200, warmUp: 1_000, total: 1_500, rounds: 5 },
  quick: { inFlight: 200, warmUp: 1_000, total: 500, rounds: 3 },
  smoke: { inFlight: 20, warmUp: 20, total: 50, rounds: 1 },
};
/** `list`, a table of twenty servers, is measured for information; it has no goal. */
const lines = [
  { line: 'help', share: 1, hasGoal: true },
  { line: 'version', share: 1, hasGoal: true },
  { line: 'list', share: 0.3, hasGoal: false },
];

export const saturation: Section = {
  name: 'rate',
  title: 'Commands per second at saturation',
  run: async ({ amount, folder, say }) => {
    const { inFlight, warmUp, total, rounds } = amounts[amount];
    const pair = await openPair({ folder });
    try {
      const rows: Row[] = [];
      for (const system of [pair.hostler, pair.bare]) await system.saturated('help', warmUp, inFlight);
      for (const { line, share, hasGoal } of lines) {
        const measured: { hostler: Saturated; bare: Saturated }[] = [];
        for (let round = 0; round < rounds; round++) {
          say(`${line}, round ${round + 1} of ${rounds}`);
          const hostler = await saturate(pair.hostler, line, total * share, inFlight);
          measured.push({ hostler, bare: await saturate(pair.bare, line, total * share, inFlight) });
        }
        const ratio = medianOf(measured, ({ hostler, bare }) => hostler.rate / bare.rate);
        rows.push({
          what: `${line}, answered, ${inFlight} in flight`,
          unit: '/s',
          hostler: median(measured.map(({ hostler }) => hostler.rate)),
          bare: median(measured.map(({ bare }) => bare.rate)),
          ratio,
          cpu: {
            hostler: medianOf(measured, ({ hostler }) => hostler.cpuMs),
            bare: medianOf(measured, ({ bare }) => bare.cpuMs),
          },
          ...(hasGoal
            ? atLeast(ratio, line === 'version' ? 0.6 : 0.8, `at least ${line === 'version' ? 0.6 : 0.8} of bare`)
            : {}),
        });
      }
      return rows;
    } finally {
      await pair.close();
    }
  },
};

interface Saturated {
  readonly rate: number;
  readonly cpuMs: number;
}

async function saturate(system: Stage, line: string, total: number, inFlight: number): Promise<Saturated> {
  const before = system.cpuMs();
  const ms = await system.saturated(line, total, inFlight);
  return { rate: (total * 1_000) / ms, cpuMs: (system.cpuMs() - before) / total };
}
