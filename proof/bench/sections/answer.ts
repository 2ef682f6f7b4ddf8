import { watchBusy } from '../busy.ts';
import { type Amount, atMost, median, type Row, type Section } from '../measure.ts';
import { openPair } from '../stage.ts';

/** Commands with zero, one and more than twenty reads of the provider. */
const lines = ['help', 'balance', 'status web-1', 'stats web-1', 'list'];
/** The answers of `status` and `stats` wait for their curve: a drawing of about 20 ms, and three calls to Slack. */
const mostAboveBareMs = (line: string) => (line.startsWith('stat') ? 40 : 10);
const amounts: Readonly<Record<Amount, { warmUp: number; counted: number }>> = {
  full: { warmUp: 30, counted: 200 },
  quick: { warmUp: 30, counted: 60 },
  smoke: { warmUp: 1, counted: 2 },
};

export const answer: Section = {
  name: 'answer',
  title: "From a read command to its posted answer, less the provider's time",
  run: async ({ amount, folder, say }) => {
    const { warmUp, counted } = amounts[amount];
    const pair = await openPair({ folder });
    const busy = watchBusy(pair.provider.port);
    try {
      const rows: Row[] = [];
      for (const line of lines) {
        say(line);
        const hostler: number[] = [];
        const bare: number[] = [];
        const elsewhereMs: number[] = [];
        const before = { hostler: 0, bare: 0 };
        for (let n = 0; n < warmUp + counted; n++) {
          busy.reset();
          const totalMs = await pair.hostler.answered(line);
          const awayMs = busy.ms();
          const bareMs = await pair.bare.answered(line);
          if (n < warmUp) {
            Object.assign(before, { hostler: pair.hostler.cpuMs(), bare: pair.bare.cpuMs() });
            continue;
          }
          hostler.push(totalMs - awayMs);
          elsewhereMs.push(awayMs);
          bare.push(bareMs);
        }
        const aboveMs = mostAboveBareMs(line);
        const figures = { hostler: median(hostler), bare: median(bare) };
        rows.push({
          what: `${line}, p50`,
          unit: 'ms',
          ...figures,
          cpu: {
            hostler: (pair.hostler.cpuMs() - before.hostler) / hostler.length,
            bare: (pair.bare.cpuMs() - before.bare) / bare.length,
          },
          ...atMost(figures.hostler, figures.bare + aboveMs, `at most ${aboveMs} ms above bare`),
          note: `the provider was at work for ${median(elsewhereMs).toFixed(2)} ms of it at the median`,
        });
      }
      return rows;
    } finally {
      busy.stop();
      await pair.close();
    }
  },
};
