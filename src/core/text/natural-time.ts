import { day, hour, minute, parseSpan } from './words.ts';

/** Parses times in plain English: `in 2 hours`, `tomorrow 9am`, `friday`, `2026-12-01 09:00`. */

export interface PersonClock {
  readonly now: number;
  /** `Europe/Amsterdam`: the person's. */
  readonly timeZone: string;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const units: Readonly<Record<string, number>> = {
  ...{ minute, minutes: minute, min: minute, mins: minute },
  ...{ hour, hours: hour, hr: hour, hrs: hour, day, days: day, week: 7 * day, weeks: 7 * day },
};
/** The time of a day without an hour. */
const morning = { hours: 9, minutes: 0 };
const mostWords = 5;

/** The number of words at the start that form a time. */
export function timeWords(words: readonly string[]): number {
  // Recognizing a time needs no clock.
  for (let number = Math.min(mostWords, words.length); number > 0; number--) {
    if (partsOf(words.slice(0, number).join(' ')) !== undefined) return number;
  }
  return 0;
}

const joining: ReadonlySet<string> = new Set(['from', 'to', 'till', 'until', 'for', 'every', 'by', 'and']);

/**
 * For each position, whether the words from there on form only times: `2h`, `from 18:00 to 20:00`, `every friday`,
 * `next week`. Works from the end, so that each position is visited once.
 */
export function saysTimeFrom(words: readonly string[]): readonly boolean[] {
  const isTimeFrom = [...words.map(() => false), true];
  for (let at = words.length - 1; at >= 0; at--) {
    isTimeFrom[at] = joining.has(words[at] ?? '') && at + 1 < words.length && isTimeFrom[at + 1] === true;
    for (let number = 1; number <= mostWords; number++)
      isTimeFrom[at] ||= isTimeFrom[at + number] === true && isOneTime(words.slice(at, at + number));
  }
  return isTimeFrom.slice(0, -1);
}

function isOneTime(words: readonly string[]): boolean {
  const said = words.join(' ');
  return (
    partsOf(said) !== undefined ||
    spanOf(said) !== undefined ||
    /^(?:this|next) (?:week|weekend|month|evening)$/.test(said)
  );
}

/** True if the words form only times. */
export function isTime(words: readonly string[]): boolean {
  return saysTimeFrom(words)[0] === true;
}

/** True if the last words form a time: `the release until 18:00`. */
export function endsWithTime(words: readonly string[]): boolean {
  return saysTimeFrom(words).includes(true);
}

/** Parses a time, which may be past; undefined if the text is not a time. */
export function readTime(text: string, { now, timeZone }: PersonClock): number | undefined {
  const absolute = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(absolute)) return absolute;
  const parts = partsOf(text.toLowerCase().trim());
  if (parts === undefined) return undefined;
  if ('inMs' in parts) return now + parts.inMs;
  const today = wallClock(now, timeZone);
  const at = parts.clock ?? morning;
  const on = (days: number) => instantOf({ ...today, day: today.day + days, ...at }, timeZone);
  const { when } = parts;
  if (when === undefined) return on(0) > now ? on(0) : on(1);
  if (typeof when === 'number') return on(when);
  if ('year' in when) return instantOf({ ...when, ...at }, timeZone);
  const ahead = (when.weekday - new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay() + 7) % 7;
  return ahead === 0 && (when.isNext || on(0) <= now) ? on(7) : on(ahead);
}

interface WallDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}
interface WallTime {
  readonly hours: number;
  readonly minutes: number;
}
type When = number | WallDay | { readonly weekday: number; readonly isNext: boolean };
type Parts = { readonly inMs: number } | { readonly when?: When; readonly clock?: WallTime };

function partsOf(text: string): Parts | undefined {
  const inMs = spanOf(/^in (.+)$/.exec(text)?.[1] ?? '');
  if (inMs !== undefined) return { inMs };
  const alone = text.replace(/^(?:at|by|on) /, '');
  const clock = clockOf(alone);
  // `at 14` is a time; a bare number is not.
  if (clock !== undefined && (clock.isMarked || text.startsWith('at '))) return { clock };
  const when = dayOf(alone);
  if (when !== undefined) return { when };
  for (const [one, other] of splits(alone)) {
    const [when, clock] = [dayOf(one) ?? dayOf(other), clockOf(other) ?? clockOf(one)];
    if (when !== undefined && clock !== undefined) return { when, clock };
  }
  return undefined;
}

/** `tomorrow 9am`, `9am tomorrow`, `next friday at 14:00` */
function splits(text: string): [string, string][] {
  const words = text.split(' ').filter((word) => word !== 'at');
  return words.slice(1).map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]);
}

/** `2 hours`, `an hour`, `half an hour`, `2h30m` */
export function spanOf(text: string): number | undefined {
  const short = parseSpan(text);
  if (short !== undefined) return short;
  if (text === 'half an hour') return 30 * minute;
  const [, number = '', unit = ''] = /^(\d{1,4}|an?|one|two|three)\s?([a-z]+)$/.exec(text) ?? [];
  const amount = { a: 1, an: 1, one: 1, two: 2, three: 3 }[number] ?? Number(number);
  const ms = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return ms === undefined ? undefined : amount * ms;
}

function dayOf(text: string): When | undefined {
  if (text === 'today' || text === 'tonight') return 0;
  if (text === 'tomorrow' || text === 'tmrw') return 1;
  const [, isNext, name = ''] = /^(next )?([a-z]{3,9})$/.exec(text) ?? [];
  const weekday = weekdays.findIndex((known) => known === name || (name.length === 3 && known.startsWith(name)));
  if (name !== '' && weekday >= 0) return { weekday, isNext: isNext !== undefined };
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(text))) return undefined;
  return { year: Number(year), month: Number(month), day: Number(date) };
}

function clockOf(text: string): (WallTime & { readonly isMarked: boolean }) | undefined {
  if (text === 'noon') return { hours: 12, minutes: 0, isMarked: true };
  if (text === 'midnight') return { hours: 24, minutes: 0, isMarked: true };
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text) ?? [];
  if (hours === undefined || Number(minutes ?? 0) > 59) return undefined;
  const number = Number(hours);
  if (half === undefined ? number > 23 : number < 1 || number > 12) return undefined;
  const on24 = half === undefined ? number : (number % 12) + (half === 'pm' ? 12 : 0);
  return { hours: on24, minutes: Number(minutes ?? 0), isMarked: minutes !== undefined || half !== undefined };
}

function wallClock(ms: number, timeZone: string): WallDay & WallTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  }).formatToParts(ms);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return { year: of('year'), month: of('month'), day: of('day'), hours: of('hour'), minutes: of('minute') };
}

/** The instant of a local time. The second pass finds the right offset near a change of clocks. */
function instantOf({ year, month, day, hours, minutes }: WallDay & WallTime, timeZone: string): number {
  const wanted = Date.UTC(year, month - 1, day, hours, minutes);
  const shown = (ms: number) => {
    const at = wallClock(ms, timeZone);
    return Date.UTC(at.year, at.month - 1, at.day, at.hours, at.minutes);
  };
  const guess = wanted - (shown(wanted) - wanted);
  return guess - (shown(guess) - wanted);
}
