import { day, sayDuration, spanText } from '../text/words.ts';
import { sayClock, sayMonthDay, sayWall, typedDay, typedInstant, typedWall } from './say-hour.ts';
import { type DateWords, hourOf, longDay, nightEnds, partsOf, shortDay, spanOf } from './time-words.ts';
import { asTyped, longestTyped, missingDay, notRead, type Unread, unclearWords } from './unclear-words.ts';
import type { Wall, WallDay } from './zone.ts';
import { daysInMonth, firstAt, onCalendar, readingsOf, wallClock, weekdayOf, zoneBehind, zoneNamed } from './zone.ts';

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
/** The time of a day without an hour. */
const morning = { hours: 9, minutes: 0 };
const mostAlternatives = 3;
const examples = ['in 2h', 'tonight 02:00', 'tomorrow 09:00', 'sun 03:00'];

const saysPast = /\b(?:yesterday|ago|last (?:night|week|month|\w+day|sun|mon|tue|wed|thu|fri|sat))\b/i;

/** Refuses a past time, a time that the clocks skip or show twice, and a time farther away than `mostMs`. */
export function readWhen(words: string, clock: PersonClock, mostMs = farthest): ReadMoment {
  return readIn(words, clock, (typed, zoned) => meantAt(typed, zoned, mostMs), false);
}

/** Reads words in the zone that they name, else in the person's; if that is unknown, only words that need none. */
function readIn(
  words: string,
  { now, timeZone }: PersonClock,
  meantAt: (typed: string, clock: ZonedClock) => number | Unread,
  isPast: boolean,
): ReadMoment {
  const meantIn = (typed: string): number | Unread => {
    const zoned = zoneBehind(typed);
    const [zone, other] = zoned.zones;
    if (other !== undefined)
      return {
        why: `${asTyped(zoned.name)} is the name of several time zones.`,
        instead: zoned.zones.map((each) => `${zoned.words} ${each}`),
      };
    const clock = { now, timeZone: zone ?? timeZone ?? 'UTC' };
    if (zoneNamed(clock.timeZone) === undefined)
      return { why: `The time zone ${clock.timeZone.slice(0, longestTyped)} is unknown.`, instead: [] };
    const read = meantAt(zoned.words, clock);
    if (typeof read !== 'number')
      return zone === undefined ? read : { ...read, instead: read.instead.map((other) => withZone(other, zone)) };
    const isOnClocks = typeof wallOrInstant(zoned.words, clock, isPast) === 'object';
    return isOnClocks && timeZone === undefined && zone === undefined ? withoutZone(read) : read;
  };
  const read = meantIn(words);
  if (typeof read === 'number') return { ok: true, at: read };
  return { ok: false, why: read.why, instead: usable(read.instead, (other) => typeof meantIn(other) === 'number') };
}

/** An instant or a span needs no zone. */
function withZone(words: string, zone: string): string {
  return instantIn(words) === undefined && !/^in |ago$/.test(words) ? `${words} ${zone}` : words;
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
  const unclear = unclearWords(typed, (date) => typedDay(dayNear(date, wallClock(now, timeZone))), examples);
  if (unclear !== undefined) return unclear;
  const spanMs = spanOf(typed.toLowerCase());
  if (spanMs !== undefined) return checked(typed, now + spanMs, clock, mostMs) ?? now + spanMs;
  if (saysPast.test(typed))
    return { why: `${asTyped(typed)} is past.`, instead: [typed.replace(/yesterday/i, 'tomorrow'), ...examples] };
  const meant = wallOrInstant(typed, clock);
  if (meant === undefined) return otherWeekday(typed, clock) ?? notRead(typed, examples);
  if (typeof meant === 'number') return checked(typed, meant, clock, mostMs) ?? meant;
  return (
    checked(typed, lastAt(meant, timeZone), clock, mostMs, meant) ??
    shownOnce(meant, timeZone, (reading) => reading > now)
  );
}

/** The refusal of `monday 1 december` where that day is a Tuesday. */
function otherWeekday(typed: string, { now, timeZone }: ZonedClock): Unread | undefined {
  const { when, weekday, ...parts } = partsOf(typed) ?? {};
  if (when === undefined || !('day' in when) || weekday === undefined) return undefined;
  const date = dayNear(when, wallClock(now, timeZone));
  if (date.day > daysInMonth(date)) return undefined;
  const clock = sayClock(hourOf(parts) ?? morning);
  return {
    why: `${asTyped(typed)} does not exist: ${sayMonthDay(date)} is a ${longDay(weekdayOf({ ...date, ...morning }))}.`,
    instead: [`${typedDay(date)} ${clock}`, `${shortDay(weekday)} ${clock}`],
  };
}

/** The refusal of an instant that is past or too far away. */
function checked(typed: string, at: number, clock: ZonedClock, mostMs: number, wall?: Wall): Unread | undefined {
  const { now, timeZone } = clock;
  // A picker sends an instant, which nobody typed.
  const isPicked = /\.\d{3}Z$/.test(typed);
  const words = isPicked ? sayWall(wallClock(at, timeZone)) : asTyped(typed);
  const tomorrow = wall === undefined ? [] : [`tomorrow ${sayClock({ ...wall, hours: wall.hours % 24 })}`];
  if (at <= now && isPicked) return { why: `${words} is past. Choose a later hour.`, instead: [] };
  if (at <= now) return { why: `${words} is past.`, instead: [...tomorrow, ...examples] };
  if (at - now <= mostMs) return undefined;
  const isLastYears = wall !== undefined && !/\d{4}/.test(typed) && at - now > 300 * day;
  if (isLastYears)
    return { why: `${words} is past, and the next is ${sayDuration(at - now)} away.`, instead: examples };
  const why = `${words} is ${sayDuration(at - now)} away; at most ${sayDuration(mostMs)} are possible.`;
  return { why, instead: [`in ${spanText(mostMs)}`] };
}

/** The one reading of a wall that fits, or a refusal with the right ones. */
function shownOnce(wall: Wall, timeZone: string, fits: (at: number) => boolean): number | Unread {
  const readings = readingsOf(wall, timeZone);
  const [only, other] = readings.filter(fits);
  if (only !== undefined && other === undefined) return only;
  const isSkipped = readings.length === 0;
  const says = isSkipped ? 'does not exist' : 'comes twice';
  return {
    why: `${sayWall(onCalendar(wall))} ${says} in ${timeZone}: the clocks go ${isSkipped ? 'forward' : 'back'} then.`,
    instead: isSkipped
      ? [typedWall(wallClock(firstAt(wall, timeZone), timeZone))]
      : readings.map((reading) => typedInstant(reading, timeZone)),
  };
}

/** Parses a time, past or doubled by the clocks too, in UTC without a zone; undefined without a time or its zone. */
export function readTime(text: string, { now, timeZone = 'UTC' }: PersonClock): number | undefined {
  const { words, zones } = zoneBehind(text);
  const zone = zones[0] ?? timeZone;
  if (zoneNamed(zone) === undefined || zones.length > 1) return undefined;
  const meant = wallOrInstant(words, { now, timeZone: zone });
  return typeof meant === 'object' ? firstAt(meant, zone) : meant;
}

/** `isPast`: a day without an hour means its beginning, and an hour without a day is the last such hour. */
function wallOrInstant(text: string, { now, timeZone }: ZonedClock, isPast = false): number | Wall | undefined {
  const absolute = instantIn(text);
  if (absolute !== undefined) return absolute;
  const parts = partsOf(isPast ? withoutPast(text) : text);
  if (parts === undefined) return undefined;
  if (parts.inMs !== undefined) return now + parts.inMs;
  const today = wallClock(now, timeZone);
  const hour = hourOf(parts) ?? (isPast ? midnight : morning);
  const on = (days: number): Wall => ({ ...today, day: today.day + days, ...hour });
  const isToday = isPast ? firstAt(on(0), timeZone) <= now : lastAt(on(0), timeZone) > now;
  const { when } = parts;
  if (when === undefined) return on(isToday ? 0 : isPast ? -1 : 1);
  if ('day' in when) {
    const date = dayNear(when, today, isToday ? 0 : 1, isPast);
    const isOther = parts.weekday !== undefined && parts.weekday !== weekdayOf(date);
    return date.day > daysInMonth(date) || isOther ? undefined : { ...date, ...hour };
  }
  if ('weekday' in when) {
    const ahead = (when.weekday - weekdayOf(today) + 7) % 7;
    if (isPast && !when.isNext) return on(ahead > 0 || !isToday || /^last /i.test(text) ? ahead - 7 : 0);
    return on(ahead === 0 && (when.isNext || !isToday) ? 7 : ahead);
  }
  if (isPast) return on(/\byesterday\b/i.test(text) ? -1 : when.daysAhead);
  if (when.isTonight && hour.hours < nightEnds) return on(today.hours < nightEnds && isToday ? 0 : 1);
  return on(when.daysAhead);
}

const withoutPast = (text: string) => text.replace(/^last /i, '').replace(/\byesterday\b/i, 'today');

/** The date with its year: the next such day, or the last one (`isPast`). Today counts if `least` is 0. */
function dayNear(date: DateWords, today: Wall, least = 0, isPast = false): WallDay {
  if ('year' in date) return date;
  const order = (date.month === 0 ? 0 : date.month - today.month) * 100 + date.day - today.day;
  const isOther = isPast ? order > 0 : order < least;
  if (date.month > 0) return { ...date, year: today.year + (isOther ? (isPast ? -1 : 1) : 0) };
  return isOther ? onCalendar({ ...today, day: daysInMonth(today) + date.day }) : { ...today, day: date.day };
}

/** `2026-11-29T02:30Z` and `2026-11-29T02:30+01:00` */
function instantIn(typed: string): number | undefined {
  const text = typed.trim().replace(/^(?:at|on) /i, '');
  const isInstant = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text);
  // V8 reads February 30 as March 2.
  const at = isInstant && missingDay(text) === undefined ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function lastAt(wall: Wall, timeZone: string): number {
  return readingsOf(wall, timeZone).at(-1) ?? firstAt(wall, timeZone);
}

/** Reads the typed words for a moment that is past: `2h ago`, `yesterday 14:00`, `monday 10:00`, `2026-11-20`. */

const pastExamples = ['1h ago', 'yesterday', 'yesterday 14:00'];
const midnight = { hours: 0, minutes: 0 };

export function readPast(words: string, clock: PersonClock): ReadMoment {
  return readIn(words, clock, pastAt, true);
}

function pastAt(words: string, clock: ZonedClock): number | Unread {
  const { now, timeZone } = clock;
  const typed = words.trim();
  const phrase = typed.toLowerCase();
  const agoMs = phrase === 'now' ? 0 : spanOf(phrase.replace(/ ago$/, ''));
  const meant = agoMs === undefined ? wallOrInstant(typed, clock, true) : now - agoMs;
  if (meant === undefined) return notRead(typed, pastExamples);
  const first = typeof meant === 'number' ? meant : firstAt(meant, timeZone);
  if (first > now) return { why: `${asTyped(typed)} is still to come.`, instead: pastExamples };
  if (first < 0) return { why: `${asTyped(typed)} is too long ago.`, instead: pastExamples };
  if (typeof meant === 'number' || partsOf(withoutPast(typed))?.clock === undefined) return first;
  return shownOnce(meant, timeZone, (reading) => reading <= now);
}
