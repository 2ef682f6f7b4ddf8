import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the zone data of the system, independently of JavaScript's. */

/** From `from` on, the clocks are ahead of UTC by `offset`, in milliseconds. */
export interface Period {
  readonly from: number;
  readonly offset: number;
}

export const firstYear = 2026;
export const lastYear = 2030;
const begin = Date.UTC(firstYear, 0);
const end = Date.UTC(lastYear + 1, 0);

/** The periods of a zone from 2026 to 2030; the first one begins with 2026. */
export function periodsOf(folder: string, zone: string): readonly Period[] {
  const file = join(folder, zone);
  const periods: Period[] = [{ from: begin, offset: offsetBy(file, begin) }];
  const dump = execFileSync('zdump', ['-v', '-c', `${firstYear},${lastYear + 1}`, file], { encoding: 'utf8' });
  for (const [, time = '', offset] of dump.matchAll(
    /^\S+ +(\w{3} \w{3} +\d+ [\d:]+ \d{4}) UT = .* gmtoff=(-?\d+)$/gm,
  )) {
    const from = Date.parse(`${time} UTC`);
    const ms = Number(offset) * 1_000;
    if (from >= begin && from < end && periods.at(-1)?.offset !== ms) periods.push({ from, offset: ms });
  }
  return periods;
}

/** The offset at an instant, by the C library. */
function offsetBy(file: string, ms: number): number {
  const output = execFileSync('date', ['-d', `@${ms / 1_000}`, '+%::z'], {
    encoding: 'utf8',
    env: { ...process.env, TZ: `:${file}` },
  });
  const [, sign, hours, minutes, seconds] = /^([+-])(\d+):(\d+):(\d+)/.exec(output) ?? [];
  const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return (sign === '-' ? -total : total) * 1_000;
}

/** The names of the zones in a folder that JavaScript knows, and the others. */
export function zonesIn(folder: string): {
  readonly supported: readonly string[];
  readonly unknown: readonly string[];
} {
  const zones = new Set<string>();
  // `Z` lines name zones and `L` lines their other names.
  for (const line of readFileSync(join(folder, 'tzdata.zi'), 'utf8').split('\n')) {
    const [kind, first = '', second = ''] = line.split(' ');
    if (kind === 'Z') zones.add(first);
    if (kind === 'L') zones.add(second);
  }
  const all = [...zones].sort();
  return { supported: all.filter(isKnown), unknown: all.filter((zone) => !isKnown(zone)) };
}

function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function versionIn(folder: string): string {
  return /^# version (\S+)/.exec(readFileSync(join(folder, 'tzdata.zi'), 'utf8'))?.[1] ?? 'unknown';
}

/** The instants at which the clocks show a wall, given as if it were UTC. */
export function readingsBy(periods: readonly Period[], wall: number): readonly number[] {
  return periods.flatMap(({ from, offset }, n) => {
    const at = wall - offset;
    const isInside = (n === 0 || at >= from) && at < (periods[n + 1]?.from ?? Number.POSITIVE_INFINITY);
    return isInside ? [at] : [];
  });
}

/** The first reading, or the end of the gap. */
export function firstBy(periods: readonly Period[], wall: number): number {
  const [first] = readingsBy(periods, wall);
  const gap = periods.find(({ from, offset }, n) => {
    const before = periods[n - 1];
    return before !== undefined && wall >= from + before.offset && wall < from + offset;
  });
  return first ?? gap?.from ?? Number.NaN;
}
