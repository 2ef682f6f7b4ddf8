import type { Temporal as Api } from 'temporal-polyfill';
import { firstBy, firstYear, lastYear, type Period, readingsBy } from './zdump.ts';

/** Asks a library of time zones at and around every transition, and lists its differences from the system's data. */

type Temporal = typeof Api;

const begin = Date.UTC(firstYear, 0);
const end = Date.UTC(lastYear + 1, 0);
const minute = 60_000;

export interface Answers {
  readonly checks: number;
  readonly differences: readonly string[];
}

/** The walls around a transition, as if they were UTC: both ends of a gap or an overlap, a minute beside, the middle. */
export function wallsAround(before: Period, after: Period): readonly number[] {
  const ends = [after.from + before.offset, after.from + after.offset];
  const middle = after.from + (before.offset + after.offset) / 2;
  return [...ends.flatMap((at) => [at - minute, at, at + minute]), Math.floor(middle / minute) * minute];
}

export function answersOf(temporal: Temporal, zone: string, periods: readonly Period[]): Answers {
  let checks = 0;
  const differences: string[] = [];
  const same = (what: string, actual: readonly number[], wanted: readonly number[]) => {
    checks += 1;
    if (actual.join() !== wanted.join()) differences.push(`${zone} ${what}: ${iso(actual)} instead of ${iso(wanted)}`);
  };
  const at = (ms: number) => temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const offset = (ms: number) => [at(ms).offsetNanoseconds / 1_000_000];
  const transitions: number[] = [];
  for (let next = at(begin).getTimeZoneTransition('next'); next !== null && next.epochMilliseconds < end; ) {
    transitions.push(next.epochMilliseconds);
    next = next.getTimeZoneTransition('next');
  }
  same(
    'has transitions',
    transitions,
    periods.slice(1).map(({ from }) => from),
  );
  same('begins with the offset', offset(begin), [periods[0]?.offset ?? 0]);
  for (const [n, after] of periods.entries()) {
    const before = periods[n - 1];
    if (before === undefined) continue;
    same('has the offset before', offset(after.from - 1), [before.offset]);
    same('has the offset after', offset(after.from), [after.offset]);
    for (const wall of wallsAround(before, after)) {
      const plain = temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, -1));
      const either = (['earlier', 'later'] as const).map((disambiguation) =>
        plain.toZonedDateTime(zone, { disambiguation }),
      );
      const shown = either.filter((reading) => reading.toPlainDateTime().equals(plain));
      same('reads', [...new Set(shown.map((reading) => reading.epochMilliseconds))], readingsBy(periods, wall));
    }
  }
  return { checks, differences };
}

/** The same walls, by the bot's own functions. */
export function askBot(
  bot: { readonly firstAt: (wall: number) => number; readonly readingsOf: (wall: number) => readonly number[] },
  zone: string,
  periods: readonly Period[],
): Answers {
  const walls = periods.flatMap((after, n) => {
    const before = periods[n - 1];
    return before === undefined ? [] : wallsAround(before, after);
  });
  const differences = walls.flatMap((wall) => {
    const isSame =
      bot.readingsOf(wall).join() === readingsBy(periods, wall).join() && bot.firstAt(wall) === firstBy(periods, wall);
    return isSame
      ? []
      : [`${zone} reads ${iso([wall])} as ${iso(bot.readingsOf(wall))}, first ${iso([bot.firstAt(wall)])}`];
  });
  return { checks: walls.length, differences };
}

function iso(values: readonly number[]): string {
  return (
    values.map((ms) => (Math.abs(ms) < 10 ** 9 ? String(ms / 3_600_000) : new Date(ms).toISOString())).join(' ') ||
    'none'
  );
}
