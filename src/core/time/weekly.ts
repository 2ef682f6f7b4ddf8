import { day, hour } from '../text/words.ts';
import { asTyped, type ReadWords, usable } from './read-when.ts';
import { sayClock } from './say-hour.ts';
import { clockOf, shortDay, weekdayNamed } from './time-words.ts';
import { firstAt, type WallTime, wallClock, weekdayOf, zoneNamed } from './time-zone.ts';

/** Hours that return each week, on the clocks of a time zone: `sun 03:00`, `mon-fri 08:00`. */

export interface Weekly extends WallTime {
  /** 0 is Sunday; in the order of the week, none twice. */
  readonly days: readonly number[];
  readonly timeZone: string;
}

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const groups: Readonly<Record<string, readonly number[]>> = {
  ...{ daily: everyDay, day: everyDay },
  ...{ weekdays: [1, 2, 3, 4, 5], weekday: [1, 2, 3, 4, 5], weekends: [0, 6], weekend: [0, 6] },
};
const examples = ['sun 03:00', 'daily 09:00', 'mon-fri 08:00'];

/** Words may end with another zone: `daily 09:00 Europe/Berlin`. */
export function readWeekly(words: string, timeZone: string): ReadWords<{ readonly recurrence: Weekly }> {
  const recurrence = weeklyIn(words, timeZone);
  if (recurrence !== undefined) return { ok: true, recurrence };
  const alternatives = [
    `daily ${words}`,
    `mon-fri ${words}`,
    ...[3, 9].map((hour) => `${words} 0${hour}:00`),
    ...examples,
  ];
  const instead = usable(alternatives, (other) => weeklyIn(other, timeZone) !== undefined);
  return { ok: false, why: `${asTyped(words)} does not say days and an hour.`, instead };
}

function weeklyIn(typed: string, ownZone: string): Weekly | undefined {
  const words = typed.trim().split(/\s+/);
  const hasZone = words.length > 2 && zoneWord(words.at(-1) ?? '') !== undefined;
  const timeZone = hasZone ? zoneWord(words.pop() ?? '') : zoneNamed(ownZone);
  const phrase = words
    .join(' ')
    .toLowerCase()
    .replace(/^every /, '');
  const [, daysSaid = '', clockSaid = ''] = /^([a-z,-]+(?: and [a-z]+)?)(?: at)? (\S+(?: [ap]m)?)$/.exec(phrase) ?? [];
  const [days, clock] = [daysIn(daysSaid.replace(' and ', ',')), clockOf(clockSaid)];
  if (days === undefined || clock === undefined || timeZone === undefined) return undefined;
  const isMidnight = clock.hours === 24;
  return {
    // The midnight of a day is the beginning of the next one.
    days: isMidnight ? days.map((day) => (day + 1) % 7).sort() : days,
    hours: clock.hours % 24,
    minutes: clock.minutes,
    timeZone,
  };
}

/** `Europe/Berlin` and `UTC`, but not `pm`. */
export function zoneWord(word: string): string | undefined {
  return /^(?:utc|gmt|[a-z]+\/[\w/+-]+)$/i.test(word) ? zoneNamed(word) : undefined;
}

/** `sun`, `mon-fri`, `mon,thu`, `daily`; undefined if a part is no day. */
export function daysIn(phrase: string): readonly number[] | undefined {
  const days = phrase.split(',').map((part) => groups[Object.hasOwn(groups, part) ? part : ''] ?? rangeIn(part));
  const all = new Set(days.flatMap((part) => part ?? []));
  return days.includes(undefined) ? undefined : everyDay.filter((day) => all.has(day));
}

function rangeIn(part: string): readonly number[] | undefined {
  const [from = '', to = from, ...more] = part.split('-');
  const [first, last] = [weekdayNamed(from), weekdayNamed(to)];
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const length = ((last - first + 7) % 7) + 1;
  return everyDay.slice(0, length).map((_, n) => (first + n) % 7);
}

/** `sun 03:00 Europe/Berlin`, which reads as the same recurrence. */
export function sayWeekly(recurrence: Weekly): string {
  return `${sayDays(recurrence.days)} ${sayClock(recurrence)} ${recurrence.timeZone}`;
}

/** `daily`, `mon-fri`, `mon,thu` */
export function sayDays(days: readonly number[]): string {
  if (days.length === 7) return 'daily';
  const first = days.find((day) => !days.includes((day + 6) % 7));
  const isRange = days.length > 2 && first !== undefined && days.every((_, n) => days.includes((first + n) % 7));
  return isRange ? `${shortDay(first)}-${shortDay((first + days.length - 1) % 7)}` : days.map(shortDay).join(',');
}

/**
 * The first run after an instant. It keeps its hour when the clocks change: an hour that they skip becomes the first
 * minute after the gap, and an hour that they show twice runs at its first time.
 */
export function nextOf({ days, hours, minutes, timeZone }: Weekly, afterMs: number): number {
  const today = wallClock(afterMs, timeZone);
  for (let ahead = 0; ahead <= 8; ahead++) {
    const wall = { ...today, day: today.day + ahead, hours, minutes };
    const at = days.includes(weekdayOf(wall)) ? firstAt(wall, timeZone) : Number.NEGATIVE_INFINITY;
    if (at > afterMs) return at;
  }
  throw new RangeError('No day is chosen.');
}

/** The run whose hour has passed lately, and the hour of the run before it, since when it reports. */
export function lastRun(
  weekly: Weekly & { readonly since: number },
  now: number,
  lateMs: number,
): { readonly at: number; readonly since: number } | undefined {
  const at = nextOf(weekly, Math.floor(now) - lateMs);
  return at > now || at < weekly.since ? undefined : { at, since: runBefore(weekly, at) };
}

function runBefore(weekly: Weekly, at: number): number {
  for (let days = 1; days <= 7; days += 1) {
    const before = nextOf(weekly, at - days * day - 2 * hour);
    if (before < at) return before;
  }
  return at - 7 * day;
}
