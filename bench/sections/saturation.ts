import { atLeast, median, type Row, type Section } from '../measure.ts';
import { openPair } from '../stage.ts';

const inFlight = 200;

export const saturation: Section = {
  name: 'rate',
  title: 'Commands per second at saturation',
  run: async ({ isQuick, folder, say }) => {
    const pair = await openPair({ folder });
    const total = isQuick ? 1_000 : 3_000;
    const rounds = isQuick ? 2 : 3;
    try {
      const rows: Row[] = [];
      for (const stage of [pair.hostler, pair.bare]) await stage.saturated('help', 1_000, inFlight);
      for (const line of ['help', 'version', 'list']) {
        const hostler: number[] = [];
        const bare: number[] = [];
        for (let round = 0; round < rounds; round++) {
          say(`${line}, round ${round + 1} of ${rounds}`);
          hostler.push((total * 1_000) / (await pair.hostler.saturated(line, total, inFlight)));
          bare.push((total * 1_000) / (await pair.bare.saturated(line, total, inFlight)));
        }
        const rates = { hostler: median(hostler), bare: median(bare) };
        // `list` draws a table of twenty servers; it is here to be known, not to be compared with one word.
        const goal = line === 'list' ? {} : atLeast(rates.hostler, rates.bare * 0.8, 'at least 0.8 of bare');
        rows.push({ what: `${line}, answered, ${inFlight} in flight`, unit: '/s', ...rates, ...goal });
      }
      return rows;
    } finally {
      await pair.close();
    }
  },
};
