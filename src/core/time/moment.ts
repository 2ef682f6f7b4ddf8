import { day, sayDuration, spanText } from '../text/words.ts';
import { sayClock, sayWall, typedDay, typedInstant, typedWall } from './say-hour.ts';
import { dateOf, partsOf, spanOf } from './time-words.ts';
import { daysInMonth, firstAt, readingsOf, type Wall, wallClock, weekdayOf, zoneNamed } from './zone.ts';

/** Reads the typed words for a moment to come: `tonight 02:00`, `sunday at 3`, `in 2h`, `2026-12-01 22:00`. */

export interface PersonClock {
  readonly now: number;
  /** `Europe/Amsterdam`: the person's; undefined if Slack did not say it. */
  readonly timeZone: string | undefined;
}
type ZonedClock = PersonClock & { readonly timeZone: string };

/** The value of words, or a refusal of them. `instead` has words that would be read. */
export type ReadWords<T> = ({ readonly ok: true } & T) | ({ readonly ok: false } & Unread);

type ReadMoment = ReadWords<{ readonly at: number }>;

const farthest = 90 * day;
const longestTyped = 80;
/** The time of a day without an hour. */
const morning = { hours: 9, minutes: 0 };
/** `tonight` is the evening and the hours before this one. */
const nightEnds = 6;
const mostAlternatives = 3;
const examples = ['in 2h', 'tonight 02:00', 'tomorrow 09:00', 'sun 03:00'];

const saysPast = /\b(?:yesterday|ago|last (?:night|week|month|\w+day|sun|mon|tue|wed|thu|fri|sat))\b/i;

/** Refuses a past time, a time that the clocks skip or show twice, and a time farther away than `mostMs`. */
export function readWhen(words: string, clock: PersonClock, mostMs = farthest): ReadMoment {
  const isOnClocks = (typed: string, inUtc: ZonedClock) => typeof wallOrInstant(typed, inUtc) === 'object';
  return readIn(words, clock, (typed, zoned) => meantAt(typed, zoned, mostMs), isOnClocks);
}

/** Reads words in the person's time zone; if it is unknown, only words that need none. */
function readIn(
  words: string,
  { now, timeZone }: PersonClock,
  meantAt: (typed: string, clock: ZonedClock) => number | Unread,
  needsZone: (typed: string, inUtc: ZonedClock) => boolean,
): ReadMoment {
  const clock = { now, timeZone: timeZone ?? 'UTC' };
  const meantIn = (typed: string): number | Unread => {
    if (zoneNamed(clock.timeZone) === undefined)
      return { why: `The time zone ${clock.timeZone.slice(0, longestTyped)} is unknown.`, instead: [] };
    const read = meantAt(typed, clock);
    const isUnclear = timeZone === undefined && typeof read === 'number' && needsZone(typed, clock);
    return isUnclear ? withoutZone(read) : read;
  };
  const read = meantIn(words);
  if (typeof read === 'number') return { ok: true, at: read };
  return { ok: false, why: read.why, instead: usable(read.instead, (other) => typeof meantIn(other) === 'number') };
}

/** A reason and possible alternatives, some of which may be refused, too. */
export interface Unread {
  readonly why: string;
  readonly instead: readonly string[];
}

/** The first alternatives that would be read. */
export function usable(words: readonly string[], isRead: (words: string) => boolean): readonly string[] {
  return [...new Set(words)].filter(isRead).slice(0, mostAlternatives);
}

/** The refusal of an hour on clocks whose time zone is unknown, with the same hour in UTC. */
function withoutZone(at: number): Unread {
  const instant = `${new Date(at).toISOString().slice(0, 16)}Z`;
  return { why: `Slack did not say your time zone: write the hour like \`${instant}\`.`, instead: [instant] };
}

function meantAt(words: string, clock: ZonedClock, mostMs: number): number | Unread {
  const { now, timeZone } = clock;
  const typed = words.trim();
  const night = unclearNight(typed);
  if (night !== undefined) return night;
  const spanMs = spanOf(typed.toLowerCase());
  if (spanMs !== undefined) return checked(typed, now + spanMs, clock, mostMs) ?? now + spanMs;
  if (saysPast.test(typed)) return { why: `${asTyped(typed)} is past.`, instead: examples };
  const meant = wallOrInstant(typed, clock);
  if (meant === undefined) return notRead(typed, examples);
  if (typeof meant === 'number') return checked(typed, meant, clock, mostMs) ?? meant;
  return (
    checked(typed, lastAt(meant, timeZone), clock, mostMs, meant) ??
    shownOnce(meant, timeZone, (reading) => reading > now)
  );
}

/** The refusal of an instant that is past or too far away. */
function checked(typed: string, at: number, clock: ZonedClock, mostMs: number, wall?: Wall): Unread | undefined {
  const { now, timeZone } = clock;
  const hour = wall === undefined ? undefined : sayClock({ ...wall, hours: wall.hours % 24 });
  if (at <= now)
    return {
      why: `${isFromPicker(typed) ? sayWall(wallClock(at, timeZone)) : asTyped(typed)} is past.`,
      instead: hour === undefined ? examples : [`tomorrow ${hour}`, ...examples],
    };
  if (at - now <= mostMs) return undefined;
  const limit = `in ${spanText(mostMs)}`;
  return {
    why: `${isFromPicker(typed) ? sayWall(wallClock(at, timeZone)) : asTyped(typed)} is ${sayDuration(at - now)} away; at most ${sayDuration(mostMs)} are possible.`,
    instead: wall === undefined ? [limit] : [`${typedDay(lastDayWith(wall, now + mostMs, timeZone))} ${hour}`, limit],
  };
}

/** A picker sends an instant, which nobody typed. */
function isFromPicker(typed: string): boolean {
  return /\.\d{3}Z$/.test(typed);
}

/** The last day on which the clocks show the hour before an instant. */
function lastDayWith({ hours, minutes }: Wall, before: number, timeZone: string): Wall {
  const last = wallClock(before, timeZone);
  const isBefore = lastAt({ ...last, hours: hours % 24, minutes }, timeZone) <= before;
  return isBefore ? last : wallClock(before - day, timeZone);
}

/** The one reading of a wall that fits, or a refusal with the right ones. */
function shownOnce(wall: Wall, timeZone: string, fits: (at: number) => boolean): number | Unread {
  const readings = readingsOf(wall, timeZone);
  const [only, other] = readings.filter(fits);
  if (only !== undefined && other === undefined) return only;
  const isSkipped = readings.length === 0;
  const says = isSkipped ? 'does not exist' : 'comes twice';
  return {
    why: `${sayWall(wall)} ${says} in ${timeZone}: the clocks go ${isSkipped ? 'forward' : 'back'} then.`,
    instead: isSkipped
      ? [typedWall(wallClock(firstAt(wall, timeZone), timeZone))]
      : readings.map((reading) => typedInstant(reading, timeZone)),
  };
}

/** `tonight` says no hour, and `tonight at 9` may be the evening's. */
function unclearNight(typed: string): Unread | undefined {
  const parts = partsOf(typed.toLowerCase());
  if (parts === undefined || 'inMs' in parts || parts.when === undefined || !('isTonight' in parts.when))
    return undefined;
  const { clock } = parts;
  if (clock === undefined)
    return { why: `${asTyped(typed)} does not say the hour.`, instead: ['tonight 22:00', 'tonight 02:00'] };
  if (clock.hours < nightEnds || clock.hours >= 12) return undefined;
  const evening = sayClock({ ...clock, hours: clock.hours + 12 });
  return { why: `${sayClock(clock)} is not at night.`, instead: [`tonight ${evening}`, `tomorrow ${sayClock(clock)}`] };
}

export function asTyped(words: string): string {
  return `\`${words.slice(0, longestTyped)}\``;
}

/**
 * Parses a time, which may be past or doubled by the clocks, in UTC without a time zone; undefined if the text is not a
 * time or the time zone is unknown.
 */
export function readTime(text: string, { now, timeZone = 'UTC' }: PersonClock): number | undefined {
  if (zoneNamed(timeZone) === undefined) return undefined;
  const meant = wallOrInstant(text, { now, timeZone });
  return typeof meant === 'object' ? firstAt(meant, timeZone) : meant;
}

function wallOrInstant(text: string, { now, timeZone }: ZonedClock): number | Wall | undefined {
  const absolute = instantIn(text.trim());
  if (absolute !== undefined) return absolute;
  const parts = partsOf(text.toLowerCase().trim());
  if (parts === undefined) return undefined;
  if ('inMs' in parts) return now + parts.inMs;
  const today = wallClock(now, timeZone);
  const hour = parts.clock ?? morning;
  const on = (days: number): Wall => ({ ...today, day: today.day + days, ...hour });
  const comesToday = () => lastAt(on(0), timeZone) > now;
  const { when } = parts;
  if (when === undefined) return on(comesToday() ? 0 : 1);
  if ('year' in when) return when.day > daysInMonth(when) ? undefined : { ...when, ...hour };
  if ('weekday' in when) {
    const ahead = (when.weekday - weekdayOf(today) + 7) % 7;
    return on(ahead === 0 && (when.isNext || !comesToday()) ? 7 : ahead);
  }
  if (when.isTonight && hour.hours < nightEnds) return on(today.hours < nightEnds && comesToday() ? 0 : 1);
  return on(when.daysAhead);
}

/** `2026-11-29T02:30Z` and `2026-11-29T02:30+01:00` */
function instantIn(text: string): number | undefined {
  const isInstant = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text);
  // V8 reads February 30 as March 2.
  const at = isInstant && missingDay(text) === undefined ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The day in a text that lies past its month, and the last one of that month. */
export function missingDay(
  text: string,
): { readonly why: string; readonly typed: string; readonly last: string } | undefined {
  const typed = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '';
  const date = dateOf(typed);
  const days = date === undefined ? 0 : daysInMonth(date);
  if (date === undefined || date.day <= days) return undefined;
  const month = new Date(Date.UTC(2000, date.month - 1)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const why = `${month}${date.month === 2 ? ` ${date.year}` : ''} has ${days} days.`;
  return { why, typed, last: typedDay({ ...date, day: days }) };
}

/** The refusal of words that are no time, or a day that no calendar has. */
function notRead(typed: string, instead: readonly string[]): Unread {
  const day = missingDay(typed);
  if (day === undefined) return { why: `${asTyped(typed)} is not a time.`, instead };
  return {
    why: `${asTyped(typed)} does not exist: ${day.why}`,
    instead: [typed.replace(day.typed, day.last), ...instead],
  };
}

function lastAt(wall: Wall, timeZone: string): number {
  return readingsOf(wall, timeZone).at(-1) ?? firstAt(wall, timeZone);
}

/** Reads the typed words for a moment that is past: `2h ago`, `yesterday 14:00`, `monday 10:00`, `2026-11-20`. */

const pastExamples = ['1h ago', 'yesterday', 'yesterday 14:00'];
const midnight = { hours: 0, minutes: 0 };

/** A day without an hour means its beginning, and an hour without a day is the last such hour. */
export function readPast(words: string, clock: PersonClock): ReadMoment {
  return readIn(words, clock, pastAt, (typed, inUtc) => {
    const phrase = typed.trim().toLowerCase();
    const isSpan = phrase === 'now' || spanOf(phrase.replace(/ ago$/, '')) !== undefined;
    return !isSpan && instantIn(typed.trim()) === undefined && typeof pastWall(phrase, inUtc) === 'object';
  });
}

function pastAt(words: string, clock: ZonedClock): number | Unread {
  const { now, timeZone } = clock;
  const typed = words.trim();
  const phrase = typed.toLowerCase();
  const agoMs = phrase === 'now' ? 0 : spanOf(phrase.replace(/ ago$/, ''));
  const instant = agoMs === undefined ? instantIn(typed) : now - agoMs;
  const meant = instant ?? pastWall(phrase, clock);
  if (meant === undefined) return notRead(typed, pastExamples);
  const first = typeof meant === 'number' ? meant : firstAt(meant, timeZone);
  if (first > now) return { why: `${asTyped(typed)} is still to come.`, instead: pastExamples };
  if (first < 0) return { why: `${asTyped(typed)} is too long ago.`, instead: pastExamples };
  if (typeof meant === 'number' || !meant.isExact) return first;
  return shownOnce(meant, timeZone, (reading) => reading <= now);
}

type PastWall = Wall & { /** With an hour. */ readonly isExact: boolean };

function pastWall(phrase: string, { now, timeZone }: ZonedClock): number | PastWall | undefined {
  const isYesterday = /\byesterday\b/.test(phrase);
  const parts = partsOf(phrase.replace(/^last /, '').replace(/\byesterday\b/, 'today'));
  if (parts === undefined) return undefined;
  if ('inMs' in parts) return now + parts.inMs;
  const today = wallClock(now, timeZone);
  const hour = parts.clock ?? midnight;
  const on = (days: number) => ({ ...today, day: today.day + days, ...hour, isExact: parts.clock !== undefined });
  const wasToday = firstAt(on(0), timeZone) <= now;
  const { when } = parts;
  if (when === undefined) return on(wasToday ? 0 : -1);
  if ('year' in when) return when.day > daysInMonth(when) ? undefined : { ...on(0), ...when };
  if ('daysAhead' in when) return on(isYesterday ? -1 : when.daysAhead);
  if (when.isNext) return on(7);
  const back = (weekdayOf(today) - when.weekday + 7) % 7;
  return on(back === 0 && (!wasToday || phrase.startsWith('last ')) ? -7 : -back);
}
