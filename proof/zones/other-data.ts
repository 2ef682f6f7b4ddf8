import { firstYear, lastYear, type Period } from './zdump.ts';

/** Finds zones whose rules in Node are of another version than the system's, without any library. */

const stepMs = 10 * 86_400_000;

/** True if Node shows another hour than the system does, beside a transition or on one of each ten days. */
export function hasOtherData(zone: string, periods: readonly Period[]): boolean {
  const shown = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const offsetAt = (ms: number) => {
    const parts = shown.formatToParts(ms);
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return wall - Math.floor(ms / 1_000) * 1_000;
  };
  const isOther = (ms: number) => offsetAt(ms) !== periods.findLast(({ from }) => from <= ms)?.offset;
  const begin = Date.UTC(firstYear, 0);
  const days = Array.from(
    { length: Math.floor((Date.UTC(lastYear + 1, 0) - begin) / stepMs) },
    (_, n) => begin + n * stepMs,
  );
  return [...periods.slice(1).flatMap(({ from }) => [from - 1, from]), ...days].some(isOther);
}
