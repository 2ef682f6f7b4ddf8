import { defined } from '../text/defined.ts';
import { list, months } from '../text/words.ts';
import { sayClock, typedDay } from './say-hour.ts';
import {
  clockOf,
  type DateWords,
  type DayWords,
  dateOf,
  fitsPart,
  hourOf,
  isEither,
  nightEnds,
  partOfDay,
  partsOf,
  shortDay,
  spanOf,
  type TimeParts,
} from './time-words.ts';
import { daysInMonth } from './zone.ts';

/** Refuses words for a moment to come that leave out a part of it, or that may be two, with those that say it. */

/** A reason and possible alternatives, some of which may be refused, too. */
export interface Unread {
  readonly why: string;
  readonly instead: readonly string[];
}

export const longestTyped = 80;

export function asTyped(words: string): string {
  return `\`${words.slice(0, longestTyped)}\``;
}

/** The hint with words that would be read. */
export function writeLike(instead: readonly string[]): string {
  const quoted = instead.map((words) => `\`${words}\``);
  return `Write it like ${list(quoted, 'or')}.`;
}

/** `dayOf`: the next such day, as `2026-12-01`. */
export function unclearWords(typed: string, dayOf: (date: DateWords) => string, examples: readonly string[]) {
  const text = typed.toLowerCase();
  const [, bare] = /^for (.+)$/.exec(text) ?? [];
  if (spanOf(bare ?? '') !== undefined)
    return { why: `\`${bare}\` does not say when to begin.`, instead: [`in ${bare}`] };
  const [, before, rest = ''] = /^(by|before|after|from) (.+)$/.exec(text) ?? [];
  if (before !== undefined)
    return {
      why: `${asTyped(typed)} does not say the hour to begin.`,
      instead: [spanOf(rest) === undefined ? rest : `in ${rest}`, ...examples],
    };
  const [slashes = '', first = '', second = '', year] = /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?\b/.exec(text) ?? [];
  if (slashes !== '' && isEither(Number(first), Number(second))) {
    const of = year === undefined ? {} : { year: Number(year) };
    const on = (month: string, day: string) => dayOf({ ...of, month: Number(month), day: Number(day) });
    const days = [on(first, second), on(second, first)];
    return { why: `\`${slashes}\` may be two days.`, instead: days.map((day) => text.replace(slashes, day)) };
  }
  const [digits] = /\b\d{1,3}:\d\d\b/.exec(text) ?? [];
  if (digits !== undefined && clockOf(digits) === undefined && !/\dt\d/.test(text)) {
    const at = (hour: string) => text.replace(digits, hour).replace(/^at /, '');
    return { why: `\`${digits}\` is no hour of the day.`, instead: ['09:00', '22:00', '03:00'].map(at) };
  }
  const [half = '', halved = ''] = /\bhalf (\d{1,2}|[a-z]+)\b/.exec(text) ?? [];
  const hour = clockOf(halved, true)?.hours ?? 0;
  if (hour >= 1 && hour <= 12)
    return {
      why: `\`${half}\` may be two hours.`,
      instead: [hour - 1 || 12, hour].map((each) => text.replace(half, `${each}:30`)),
    };
  const [vague] = Object.keys(vagueDays).filter((words) => text.includes(words));
  if (vague !== undefined && partsOf(text) === undefined)
    return { why: `${asTyped(typed)} does not say the hour.`, instead: vagueDays[vague]?.split(', ') ?? [] };
  const part = partOfDay(text);
  return unclearPart(typed, partsOf(text) ?? (part && { part }));
}

/** Days without an hour, and hours that may be meant. */
const vagueDays: Readonly<Record<string, string>> = {
  weekend: 'sat 09:00, sun 03:00',
  'next week': 'next mon 03:00, next mon 09:00',
  overnight: 'tonight 22:00, tonight 02:00',
  'end of': '17:00, 18:00, 20:00',
  eod: '17:00, 18:00, 20:00',
};
const hoursIn = { morning: ['06:00', '09:00'], afternoon: ['13:00', '15:00'], evening: ['18:00', '20:00'], night: [] };

/** `tonight` and `friday morning` say no hour, `tonight at 9` may be the evening's, and `sunday morning 3` is unusual. */
function unclearPart(typed: string, parts: TimeParts | undefined): Unread | undefined {
  const { when, clock, part, isBare } = parts ?? {};
  const isTonight = when !== undefined && 'isTonight' in when;
  if (part === undefined && !isTonight) return undefined;
  const day = isTonight || (part === 'night' && when === undefined) ? 'tonight' : wordsOf(when);
  const next = wordsOf(when, 1);
  const on = (hours: readonly string[]) => hours.map((hour) => `${day} ${hour}`.trim());
  if (clock === undefined) {
    const night = [`${day} 22:00`, `${next} 02:00`];
    return {
      why: `${asTyped(typed)} does not say the hour.`,
      instead: isTonight ? on(['22:00', '02:00']) : part === 'night' ? night : on(hoursIn[part ?? 'morning']),
    };
  }
  const hour = sayClock({ hours: clock.hours % 24, minutes: clock.minutes });
  const later = sayClock({ hours: (clock.hours % 12) + 12, minutes: clock.minutes });
  if (isTonight || part === 'night') {
    if (clock.hours >= 12 || (isTonight && clock.hours < nightEnds)) return undefined;
    const isEarly = clock.hours < nightEnds;
    const why = isEarly ? `${asTyped(typed)} may be one of two days.` : `${hour} is not at night.`;
    return { why, instead: isEarly ? [`${next} ${hour}`, ...on([hour])] : [...on([later]), `${next} ${hour}`] };
  }
  return fitsPart(part, hourOf({ clock, ...defined({ part }) }) ?? clock) && !isBare
    ? undefined
    : { why: `${asTyped(typed)} is not clear.`, instead: on([hour, later]) };
}

/** The day as typed, or a day behind it. */
function wordsOf(when: DayWords | undefined, more = 0): string {
  if (when === undefined) return more === 0 ? '' : 'tomorrow';
  if ('weekday' in when) return `${when.isNext ? 'next ' : ''}${shortDay((when.weekday + more) % 7)}`;
  if ('daysAhead' in when) return ['today', 'tomorrow'][when.daysAhead + more] ?? `in ${when.daysAhead + more} days`;
  return [when.day + more, months[when.month - 1], ...('year' in when ? [when.year] : [])].join(' ');
}

/** The day in a text that lies past its month, and the last one of that month. */
export function missingDay(text: string) {
  const words = text.toLowerCase().split(' ');
  const phrases = [3, 2, 1].flatMap((count) => words.map((_, at) => words.slice(at, at + count).join(' ')));
  const [, iso = ''] = /(\d{4}-\d{2}-\d{2})/.exec(text) ?? [];
  const typed = [iso, ...phrases].find((phrase) => dateOf(phrase) !== undefined) ?? '';
  const date = dateOf(typed);
  // A day without a year was not in the calendar of the year that it comes in.
  const days = date === undefined ? 0 : daysInMonth({ year: 2_026, ...date, month: date.month || 1 });
  if (date === undefined || date.day <= days) return undefined;
  const month = new Date(Date.UTC(2000, date.month - 1)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const year = 'year' in date && date.month === 2 ? ` ${date.year}` : '';
  const last = 'year' in date ? typedDay({ ...date, day: days }) : `${days} ${month}`;
  return { why: `${month}${year} has ${days} days.`, typed, last };
}

/** The refusal of words that are no time, or a day that no calendar has. */
export function notRead(typed: string, instead: readonly string[]): Unread {
  const day = missingDay(typed);
  if (day === undefined) return { why: `${asTyped(typed)} is not a time.`, instead };
  const text = typed.includes(day.typed) ? typed : typed.toLowerCase();
  return {
    why: `${asTyped(typed)} does not exist: ${day.why}`,
    instead: [text.replace(day.typed, day.last), ...instead],
  };
}
