import { day, hour, minute, parseSpan, sentenceStart } from '../text/words.ts';
import type { WallDay, WallTime } from './zone.ts';

/** Parses times in plain English, without a clock: `in 2 hours`, `tomorrow 9am`, `1 December 22:00`. */

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const monthNames = 'january february march april may june july august september october november december'.split(' ');
const units: Readonly<Record<string, number>> = {
  minute,
  min: minute,
  hour,
  hr: hour,
  day,
  week: 7 * day,
  month: 30 * day,
};
const numbers = ['zero', ...'one two three four five six seven eight nine ten eleven twelve'.split(' ')];
const daysAhead: Readonly<Record<string, DayWords>> = {
  today: { daysAhead: 0 },
  tonight: { daysAhead: 0, isTonight: true },
  tomorrow: { daysAhead: 1 },
  tmrw: { daysAhead: 1 },
  'day after tomorrow': { daysAhead: 2 },
};
const longestTime = 80;

/** Without a year, the next such day; 0 is any month. */
export type DateWords = WallDay | Omit<WallDay, 'year'>;
export type DayWords =
  | DateWords
  | { readonly daysAhead: number; readonly isTonight?: true }
  | { readonly weekday: number; readonly isNext: boolean };
type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';
export interface TimeParts {
  readonly inMs?: number;
  readonly when?: DayWords;
  readonly clock?: Clock;
  readonly part?: PartOfDay;
  /** The weekday beside a date, which it has to be. */
  readonly weekday?: number;
  /** A number alone is the hour: `sunday 3`. */
  readonly isBare?: true;
}
interface Clock extends WallTime {
  /** With minutes, am or pm. */
  readonly isMarked: boolean;
  readonly half?: string;
}

/** The parts of a time; undefined if the text is not a time. */
export function partsOf(typed: string): TimeParts | undefined {
  if (typed.length > longestTime) return undefined;
  const text = plainly(typed);
  const inMs = spanOf(/^in (?:about )?(.+)$/.exec(text)?.[1] ?? /^(.+) (?:from now|later)$/.exec(text)?.[1] ?? '');
  if (inMs !== undefined) return { inMs };
  const words = text.split(' ');
  const parts: { -readonly [K in keyof TimeParts]: TimeParts[K] } = {};
  for (let at = 0; at < words.length; ) {
    const isAt = words[at] === 'at' && at + 1 < words.length;
    if (isAt || (words[at] === 'on' && at + 1 < words.length)) at += 1;
    const read = <T>(parse: (phrase: string) => T | undefined) =>
      [4, 3, 2, 1].flatMap((number) => {
        const value = at + number > words.length ? undefined : parse(words.slice(at, at + number).join(' '));
        return value === undefined ? [] : [{ value, number }];
      })[0];
    const [when, clock, part] = [
      read(dayOf),
      read((phrase) => clockOf(phrase, isAt || parts.when !== undefined)),
      read(partOfDay),
    ];
    if (when !== undefined && (parts.when === undefined || isWeekday(parts.when) !== isWeekday(when.value))) {
      const both = [parts.when, when.value];
      const weekday = both.find((day) => day !== undefined && isWeekday(day));
      if (parts.when !== undefined && weekday !== undefined && 'weekday' in weekday) parts.weekday = weekday.weekday;
      parts.when = both.find((day) => day !== undefined && !isWeekday(day)) ?? when.value;
      at += when.number;
    } else if (clock !== undefined && parts.clock === undefined) {
      if (!clock.value.isMarked && !isAt) parts.isBare = true;
      parts.clock = clock.value;
      at += clock.number;
    } else if (part !== undefined && parts.part === undefined) {
      parts.part = part.value;
      at += part.number;
    } else return undefined;
  }
  // `at 14` is a time; a bare number is not.
  return parts.when === undefined && (parts.isBare || parts.clock === undefined) ? undefined : parts;
}

const isWeekday = (when: DayWords) => 'weekday' in when;

/** `tonight` is the evening and the hours before this one. */
export const nightEnds = 6;

/** The hour of a day; undefined if none is said. `evening at 8` is 20:00. */
export function hourOf({ clock, part }: TimeParts): WallTime | undefined {
  const isLate = (part === 'evening' || part === 'afternoon') && clock !== undefined && clock.hours < 12;
  return clock && { hours: clock.hours + (isLate && clock.half === undefined ? 12 : 0), minutes: clock.minutes };
}

/** Whether people say the hour so: `evening at 8`, but not `evening at 3`. */
export function fitsPart(part: PartOfDay | undefined, { hours }: WallTime): boolean {
  if (part === 'morning') return hours < 12;
  if (part === 'afternoon') return hours >= 12 && hours < 19;
  return part === undefined || hours >= 16 || (part === 'night' && hours < nightEnds);
}

/** In lower case, without the words and signs that change nothing. */
function plainly(typed: string): string {
  return typed
    .toLowerCase()
    .trim()
    .replace(/^(?:on|for|to|around|about) /, '')
    .replace(/\btom+or+ow\b/, 'tomorrow')
    .replace(/(\d{4}-\d\d-\d\d)t(?=\d)/, '$1 ')
    .replace(/^(\d{1,2}\.\d{1,2})(?= \d\d?:)/, '$1.')
    .replace(/(?:^| )@ ?(?=\d)/, ' at ')
    .replace(/^early (\S+)(?: morning)?/, '$1 morning')
    .replace(/^late (?=tonight)/, '')
    .replace(/,(?= |$)/g, '')
    .replace(/(\d) ?([ap])\.m\b\.?/g, '$1$2m')
    .replace(/(\d)\.(\d\d ?[ap]m)/g, '$1:$2')
    .replace(/^(?:at )?now ?\+ ?/, 'in ')
    .replace(/\b(half|quarter) (past|to) (\w+)/, (phrase, part, side, hour) => besideHour(part, side, hour) ?? phrase)
    .replace(/(\d) (?:o'clock|uhr)\b/g, '$1:00')
    .replace(/ o'clock\b/g, '')
    .replace(/\bthe (?=day after|\d)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `6:30` of `half past six`, and `7:45` of `quarter to 8` */
function besideHour(part: string, side: string, typed: string): string | undefined {
  const twelve = /^(?:midnight|noon|midday)$/.test(typed);
  const hour = twelve ? 12 : numbers.includes(typed) ? numbers.indexOf(typed) : Number(typed);
  if (!(hour >= 1 && hour <= 12) || (part === 'half' && side === 'to')) return undefined;
  const half = typed === 'midnight' ? (side === 'past' ? 0 : 23) : twelve ? (side === 'past' ? 12 : 11) : undefined;
  const before = half ?? (side === 'past' ? hour : hour - 1 || 12);
  return part === 'half' ? `${half ?? hour}:30` : `${before}:${side === 'past' ? '15' : '45'}`;
}

/** `2 hours`, `an hour`, `half an hour`, `2h30m`, `an hour and a half` */
export function spanOf(text: string): number | undefined {
  const plain = text.replace(/^half an hour$/, '30 min').replace(/(hour|day|week)s? and a half$/, '$1 0.5 $1');
  const ms = plain.split(/(?<=[a-z]) (?:and )?(?=\d)/).reduce((sum, each) => sum + oneSpan(each), 0);
  return Number.isNaN(ms) ? undefined : ms;
}

function oneSpan(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,4}(?:\.5)?|[a-z]+(?= ))\s?([a-z]+)$/.exec(text) ?? [];
  const name = unit.replace(/s$/, '');
  const ms = Object.hasOwn(units, name) ? units[name] : undefined;
  const amount = /^an?$/.test(number) ? 1 : numbers.includes(number) ? numbers.indexOf(number) : Number(number);
  return parseSpan(text) ?? amount * (ms ?? Number.NaN);
}

function dayOf(text: string): DayWords | undefined {
  if (Object.hasOwn(daysAhead, text)) return daysAhead[text];
  const [, next, name = ''] = /^(?:(next )|this |coming )?([a-z]{3,9})$/.exec(text) ?? [];
  const weekday = weekdayNamed(name);
  if (weekday !== undefined) return { weekday, isNext: next !== undefined };
  const ahead = (spanOf(/^in (.+)$/.exec(text)?.[1] ?? '') ?? 0) / day;
  return ahead > 0 && Number.isInteger(ahead) ? { daysAhead: ahead } : dateOf(text);
}

const ending = '(?:st|nd|rd|th)';
const dates = [
  '(?<year>\\d{4})[-/](?<month>\\d\\d)[-/](?<day>\\d\\d)',
  '(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})?',
  '(?<first>\\d{1,2})/(?<second>\\d{1,2})(?:/(?<year>\\d{4}))?',
  `(?<day>\\d{1,2})${ending}?(?: of)? (?<name>[a-z]{3,9})(?: (?<year>\\d{4}))?`,
  `(?<name>[a-z]{3,9}) (?<day>\\d{1,2})${ending}?(?: (?<year>\\d{4}))?`,
  `(?<day>\\d{1,2})${ending}`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** The day of `2026-12-01`, `1 december`, `dec 1st`, `1.12.` or `25/12`, which may lie past its month. */
export function dateOf(text: string): DateWords | undefined {
  const groups = dates.map((pattern) => pattern.exec(text)?.groups).find((match) => match !== undefined) ?? {};
  const [first, second, year] = [groups.first, groups.second, groups.year].map(Number) as [number, number, number];
  if (isEither(first, second)) return undefined;
  const [inMonth, ofMonth] = first > 12 ? [second, first] : [first, second];
  const month = groups.name === undefined ? Number(groups.month ?? (inMonth || 0)) : monthNamed(groups.name);
  const day = Number(groups.day ?? ofMonth);
  const isOfAny = groups.day !== undefined && groups.month === undefined && groups.name === undefined;
  if (!(isOfAny || (month >= 1 && month <= 12 && day >= 1 && day <= 99))) return undefined;
  return year > 0 ? { month, day, year } : { month, day };
}

/** Whether `12/01` may be two days. */
export function isEither(first: number, second: number): boolean {
  return first <= 12 && second <= 12 && first !== second;
}

/** 1 for `jan` and `january`; 0 for no month. */
const monthNamed = (name: string) => monthNames.findIndex((month) => isCalled(month, name)) + 1;

const isCalled = (whole: string, name: string) =>
  name === whole || (/^(?:[a-z]{3}|sept|tues|thurs?)$/.test(name) && whole.startsWith(name));

export function partOfDay(text: string): PartOfDay | undefined {
  return /^(?:in the |during the |at |this )?(morning|afternoon|evening|night)$/.exec(text)?.[1] as
    | PartOfDay
    | undefined;
}

/** `sun`; 0 is Sunday. */
export function shortDay(day: number): string {
  return weekdays[day]?.slice(0, 3) ?? '';
}

/** `Sunday`; 0 is Sunday. */
export function longDay(day: number): string {
  return sentenceStart(weekdays[day] ?? '');
}

/** 0 is Sunday. */
export function weekdayNamed(name: string): number | undefined {
  const index = weekdays.findIndex((weekday) => isCalled(weekday, name));
  return index < 0 ? undefined : index;
}

/**
 * Two hours, with am or pm of the one added to the other where the span is else longer than half a day: `2-5pm` is
 * `2pm-5pm`. Both readings where it then ends before it begins.
 */
export function hoursBetween(from: string, to: string): readonly (readonly [from: string, to: string])[] {
  const isBare = (hour: string) => /^(?:[1-9]|1[0-2])(?::\d\d)?$/.test(hour);
  const half = /[ap]m$/.exec(isBare(from) ? to : isBare(to) ? from : '')?.[0];
  const lengthMs = (msOfDay(to) - msOfDay(from) + day) % day;
  if (half === undefined || !(lengthMs === 0 || lengthMs > day / 2)) return [[from, to]];
  const inHalf = (half: string) => (isBare(from) ? ([from + half, to] as const) : ([from, to + half] as const));
  const [begin, end] = inHalf(half);
  return msOfDay(begin) < msOfDay(end) ? [[begin, end]] : [inHalf('am'), inHalf('pm')];
}

function msOfDay(typed: string): number {
  const { hours, minutes } = clockOf(typed) ?? { hours: Number.NaN, minutes: 0 };
  return hours * hour + minutes * minute;
}

/** `isAt`: behind `at`, which also makes an hour of `2200`, `9.30`, `22h` and `nine`. */
export function clockOf(text: string, isAt = false): Clock | undefined {
  if (/^(?:12 )?(?:noon|midday)$/.test(text)) return { hours: 12, minutes: 0, isMarked: true };
  if (/^(?:(?:12 )?midnight|24:00)$/.test(text)) return { hours: 24, minutes: 0, isMarked: true };
  const digits = !isAt
    ? text.replace(/^(\d\d?)h(\d\d)$/, '$1:$2')
    : numbers.includes(text)
      ? String(numbers.indexOf(text))
      : text.replace(/^(\d\d?)[.h]?(\d\d)$/, '$1:$2').replace(/^(\d\d?)h$/, '$1:00');
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))?(?::00)? ?(am|pm)?$/.exec(digits) ?? [];
  if (hours === undefined || Number(minutes ?? 0) > 59) return undefined;
  const number = Number(hours);
  if (half === undefined ? number > 23 : number < 1 || number > 12) return undefined;
  const on24 = half === undefined ? number : (number % 12) + (half === 'pm' ? 12 : 0);
  const isMarked = minutes !== undefined || half !== undefined;
  return { hours: on24, minutes: Number(minutes ?? 0), isMarked, ...(half === undefined ? {} : { half }) };
}
