import { nextOf, type Weekly } from '../../src/core/time/weekly.ts';
import { firstBy, firstYear, lastYear, type Period } from './zdump.ts';

/** Follows recurrences over every transition and compares each run with the one that the system's data demand. */

const day = 86_400_000;
const minute = 60_000;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** The differences of daily runs at an hour, from one day to another, given as walls at midnight. */
function differencesOf(zone: string, periods: readonly Period[], clock: number, from: number, to: number): string[] {
  const recurrence: Weekly = {
    days: everyDay,
    hours: Math.floor(clock / 60),
    minutes: clock % 60,
    timeZone: zone,
  };
  const wanted: number[] = [];
  for (let date = from; date < to; date += day) wanted.push(firstBy(periods, date + clock * minute));
  let at = (wanted[0] ?? 0) - 1;
  return wanted.flatMap((run) => {
    at = nextOf(recurrence, at);
    if (at === run) return [];
    return [
      `${zone} daily at minute ${clock}: ${new Date(at).toISOString()} instead of ${new Date(run).toISOString()}`,
    ];
  });
}

/** Unless quick, each day of 2026 to 2030 at one hour; and the days around each transition at each hour that it touches. */
export function compareRuns(
  zone: string,
  periods: readonly Period[],
  isQuick: boolean,
): { runs: number; differences: string[] } {
  const begin = Date.UTC(firstYear, 0, 2);
  const end = isQuick ? begin : Date.UTC(lastYear, 11, 30);
  const differences = differencesOf(zone, periods, 150, begin, end);
  let runs = (end - begin) / day;
  for (const [n, after] of periods.entries()) {
    const before = periods[n - 1];
    if (before === undefined) continue;
    const ends = [after.from + before.offset, after.from + after.offset];
    const [first, last] = [Math.min(...ends), Math.max(...ends)];
    const clocks = new Set(
      [first - minute, first, (first + last) / 2, last - minute, last].map((wall) => Math.floor((wall % day) / minute)),
    );
    const from = first - (first % day) - 2 * day;
    for (const clock of clocks) {
      differences.push(...differencesOf(zone, periods, clock, from, from + 5 * day));
      runs += 5;
    }
  }
  return { runs, differences };
}
