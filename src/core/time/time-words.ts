import { day, hour, minute, parseSpan, sentenceStart, wordSet } from '../text/words.ts';
import type { WallDay, WallTime } from './zone.ts';

/** Parses times in plain English, without a clock: `in 2 hours`, `tomorrow 9am`, `friday`, `2026-12-01 09:00`. */

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const units: Readonly<Record<string, number>> = {
  minute,
  minutes: minute,
  min: minute,
  mins: minute,
  hour,
  hours: hour,
  hr: hour,
  hrs: hour,
  day,
  days: day,
  week: 7 * day,
  weeks: 7 * day,
};
const mostWords = 5;
const longestTime = 80;

/** The number of words at the start that form a time. */
export function timeWords(words: readonly string[]): number {
  // Recognizing a time needs no clock.
  for (let number = Math.min(mostWords, words.length); number > 0; number--) {
    if (partsOf(words.slice(0, number).join(' ')) !== undefined) return number;
  }
  return 0;
}

const joining = wordSet('from to till until for every by and');

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
  const phrase = words.join(' ');
  return (
    partsOf(phrase) !== undefined ||
    spanOf(phrase) !== undefined ||
    /^(?:this|next) (?:week|weekend|month|evening)$/.test(phrase)
  );
}

const monthWord =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** Days and spans that are no hour to begin: `20 december`, `next week`. */
const namedTime = new RegExp(
  `^(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${monthWord}|${monthWord} \\d{1,2}(?:st|nd|rd|th)?|(?:next|this) (?:week|weekend|month|evening))(?= |$)`,
);
/** Before a time, these words say something else than the hour at which to begin: `stop web-1 until 18:00`. */
export const notAt = wordSet("until till til 'til by before after from to for every each and since");
const surelyAhead = /^(?:tomorrow|tmrw|tonight|in|next|this) |\b(?:tomorrow|tmrw|tonight) /;
const isPastBefore = /^(?:since|last|yesterday|morning|night)$/;
const isPastWord = /^(?:was|were|been|had|did|went|began|broke|died|hung|lost|got|ran|fell|froze|came|ago|\w{2,}ed)$/;
const isPlanned = /^(?:is|are|be) \w+ed$|(?:planned|scheduled|expected|announced|needed)$/;

/**
 * Finds the first time among the words of a text. With `mayBePast`, it skips the time of a past event, as in
 * `it crashed at 3am`, and a time that is part of a name, as in `the friday release`.
 */
export function timeAmong(
  typed: readonly string[],
  mayBePast: boolean,
): { readonly at: number; readonly end: number; readonly isHour: boolean } | undefined {
  const words = typed.map((word) => word.toLowerCase());
  const isPast = words.some(
    (word, at) => isPastWord.test(word) && !isPlanned.test(`${words[at - 1] ?? ''} ${word}`.trim()),
  );
  for (let at = 0; at < words.length; at++) {
    const [before = '', behind] = [words[at - 1], words.slice(at, at + mostWords)];
    const hour = timeWords(behind);
    const span = [3, 2, 1].find((number) => spanOf(behind.slice(0, number).join(' ')) !== undefined) ?? 0;
    const named = namedTime.exec(behind.join(' '))?.[0].split(' ').length ?? 0;
    const length = hour || named || (before === 'for' || (!mayBePast && at > 0) ? span : 0);
    const [end, next] = [at + length, words[at + length]];
    // `sun` may be a name, and `monday 02:00-05:00` are hours of the week.
    const isName = length === 1 && /^[a-z]{3}$/.test(words[at] ?? '') && !notAt.has(before);
    if (length === 0 || isName || /^\d[\d:apm]*[-–]/.test(next ?? '')) continue;
    const isNoun = /^(?:the|this|that|an?|our)$/.test(before) && next !== undefined;
    const isSaid = isPast || isNoun || isPastBefore.test(before);
    if (mayBePast && isSaid && !surelyAhead.test(`${words.slice(at, end).join(' ')} `)) continue;
    const isElse = notAt.has(before);
    return { at: isElse ? at - 1 : at, end, isHour: hour > 0 && !isElse };
  }
  return undefined;
}

type DayWords =
  | WallDay
  | { readonly daysAhead: number; readonly isTonight?: true }
  | { readonly weekday: number; readonly isNext: boolean };
type TimeParts = { readonly inMs: number } | { readonly when?: DayWords; readonly clock?: WallTime };

/** The parts of a time in lower case; undefined if the text is not a time. */
export function partsOf(text: string): TimeParts | undefined {
  if (text.length > longestTime) return undefined;
  const inMs = spanOf(/^in (.+)$/.exec(text)?.[1] ?? '');
  if (inMs !== undefined) return { inMs };
  const alone = text.replace(/^(?:at|by|on) /, '');
  const clock = clockOf(alone);
  // `at 14` is a time; a bare number is not.
  if (clock !== undefined && (clock.isMarked || text.startsWith('at '))) return { clock };
  const when = dayOf(alone);
  if (when !== undefined) return { when };
  for (const [head, other] of splits(alone)) {
    const [when, clock] = [dayOf(head) ?? dayOf(other), clockOf(other) ?? clockOf(head)];
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

function dayOf(text: string): DayWords | undefined {
  if (text === 'today') return { daysAhead: 0 };
  if (text === 'tonight') return { daysAhead: 0, isTonight: true };
  if (text === 'tomorrow' || text === 'tmrw') return { daysAhead: 1 };
  const [, isNext, name = ''] = /^(next )?([a-z]{3,9})$/.exec(text) ?? [];
  const weekday = weekdayNamed(name);
  if (weekday !== undefined) return { weekday, isNext: isNext !== undefined };
  return dateOf(text);
}

/** The day of `2026-12-01`, which may lie past its month: the reader refuses that. */
export function dateOf(text: string): WallDay | undefined {
  const [year = 0, month = 0, day = 0] = /^\d{4}-\d{2}-\d{2}$/.test(text) ? text.split('-').map(Number) : [];
  return month < 1 || month > 12 || day < 1 ? undefined : { year, month, day };
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
  const index = weekdays.findIndex((weekday) => weekday === name || (name.length === 3 && weekday.startsWith(name)));
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

export function clockOf(text: string): (WallTime & { readonly isMarked: boolean }) | undefined {
  if (text === 'noon') return { hours: 12, minutes: 0, isMarked: true };
  if (text === 'midnight') return { hours: 24, minutes: 0, isMarked: true };
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text) ?? [];
  if (hours === undefined || Number(minutes ?? 0) > 59) return undefined;
  const number = Number(hours);
  if (half === undefined ? number > 23 : number < 1 || number > 12) return undefined;
  const on24 = half === undefined ? number : (number % 12) + (half === 'pm' ? 12 : 0);
  return { hours: on24, minutes: Number(minutes ?? 0), isMarked: minutes !== undefined || half !== undefined };
}
