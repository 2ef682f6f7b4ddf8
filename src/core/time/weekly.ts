import { type DayHours, dayHoursSchema } from '../text/day-hours.ts';
import { day, list } from '../text/words.ts';
import { type ReadWords, usable } from './moment.ts';
import { sayClock, sayHalf } from './say-hour.ts';
import { clockOf, fitsPart, hourOf, hoursBetween, longDay, partOfDay, shortDay, weekdayNamed } from './time-words.ts';
import { asTyped, type Unread } from './unclear-words.ts';
import { firstAt, type WallTime, wallClock, weekdayOf, zoneBehind, zoneNamed } from './zone.ts';

/** Hours and spans that return each week, on the clocks of a time zone: `sun 03:00`, `mon-fri 08:00-10:00`. */

export interface Weekly extends WallTime {
  /** 0 is Sunday; in the order of the week, none twice. */
  readonly days: readonly number[];
  readonly timeZone: string;
}

export const everyDay: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
const groups: Readonly<Record<string, readonly number[]>> = {
  daily: everyDay,
  day: everyDay,
  weekdays: [1, 2, 3, 4, 5],
  weekday: [1, 2, 3, 4, 5],
  weekends: [0, 6],
  weekend: [0, 6],
};
const examples = ['sun 03:00', 'daily 09:00', 'mon-fri 08:00'];

const notWeekly =
  /\b(?:hours?|hourly|biweekly|min\w*|months?|monthly|year\w*|other|second|first|last|times|\d+(?:[smhdw]|st|nd|rd|th))\b/;

/** Words may end with another zone: `daily 09:00 Europe/Berlin`. */
export function readWeekly(words: string, timeZone: string): ReadWords<{ readonly recurrence: Weekly }> {
  const recurrence = weeklyIn(words, timeZone);
  if (recurrence !== undefined) return { ok: true, recurrence };
  const weekday = words.replace(/\bweek(?:ly)?\b(?: on)?/, 'sun');
  const alternatives = [
    ...zoneBehind(words).zones.map((zone) => `${zoneBehind(words).words} ${zone}`),
    `daily ${words}`,
    `mon-fri ${words}`,
    ...['03:00', '09:00', '15:00', '20:00', '22:00'].map((hour) => `${weekday} ${hour}`),
    ...['', 'am', 'pm'].map((half) => weekday.replace(/ (?:at )?(\d{1,2})$/, ` $1${half}`)),
    ...examples,
  ];
  const instead = usable(alternatives, (other) => weeklyIn(other, timeZone) !== undefined);
  const why = notWeekly.test(words)
    ? 'cannot be done: runs again and again are on days of the week, at one hour.'
    : 'does not say days and an hour.';
  return { ok: false, why: `${asTyped(words)} ${why}`, instead };
}

function weeklyIn(typed: string, ownZone: string): Weekly | undefined {
  const { words: zoneless, zones } = zoneBehind(typed);
  const timeZone = zones.length === 0 ? zoneNamed(ownZone) : zones.length === 1 ? zones[0] : undefined;
  const phrase = zoneless
    .toLowerCase()
    .replace(/\b(?:every|each) /, '')
    .replace(/\b(?:weekly|week) on /, '')
    .replace(/ (?:to|through) /, '-')
    .replace(/\b(?:on|in the|all|the|and) /g, '');
  const [typedClock = '', at, clockWords = ''] =
    / (at )?((?:\d{1,2}(?:[:h]?\d\d|h)?|noon|midday|midnight)(?: ?[ap]m)?)(?= |$)/.exec(` ${phrase}`) ?? [];
  const clock = clockOf(clockWords, at !== undefined);
  const others = ` ${phrase}`.replace(typedClock, '');
  const [typedPart = '', partWord = ''] = / (morning|afternoon|evening|night)(?:ly)?(?= |$)/.exec(others) ?? [];
  const part = partOfDay(partWord);
  const dayWords = others.replace(typedPart, '').trim();
  const days = dayWords === '' && part !== undefined ? everyDay : daysIn(dayWords.replace(/[ ,]+/g, ','));
  const hour = hourOf({ ...(clock && { clock }), ...(part && { part }) });
  if (days === undefined || clock === undefined || hour === undefined || timeZone === undefined) return undefined;
  const isUnclear = part === 'night' && hour.hours < 12 && days !== everyDay;
  if (isUnclear || !fitsPart(part, hour)) return undefined;
  const isMidnight = hour.hours === 24;
  return {
    // The midnight of a day is the beginning of the next one.
    days: isMidnight ? days.map((day) => (day + 1) % 7).sort() : days,
    hours: hour.hours % 24,
    minutes: hour.minutes,
    timeZone,
  };
}

/** `sun`, `mon-fri`, `mon,thu`, `daily`; undefined if a part is no day. */
function daysIn(phrase: string): readonly number[] | undefined {
  const days = phrase
    .split(',')
    .map((part) => groups[Object.hasOwn(groups, part) ? part : ''] ?? rangeIn(part.replaceAll('days', 'day')));
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

/** `every Monday 4:00 AM`, `every weekday 8:00 AM` */
export function sayEvery({ days, ...clock }: Weekly): string {
  const group = days.length === 7 ? 'day' : sayDays(days) === 'mon-fri' ? 'weekday' : list(days.map(longDay));
  return `every ${group} ${sayHalf(clock)}`;
}

/** `daily`, `mon-fri`, `mon,thu` */
function sayDays(days: readonly number[]): string {
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
export function lastRun(weekly: Weekly & { readonly since: number }, now: number, lateMs: number) {
  const at = nextOf(weekly, Math.floor(now) - lateMs);
  if (at > now || at < weekly.since) return undefined;
  let since = at - 8 * day;
  for (let next = nextOf(weekly, since); next < at; next = nextOf(weekly, next)) since = next;
  return { at, since };
}

/** A span that returns each week, on the clocks of a time zone: `sun 02:00-05:00 Europe/Berlin`. */
interface MaintenanceWindow {
  /** The days on which it begins; 0 is Sunday. */
  readonly days: readonly number[];
  readonly from: WallTime;
  /** On the next day if it is not after `from`. */
  readonly to: WallTime;
  readonly timeZone: string;
}

const windowExamples = ['sun 02:00-05:00 Europe/Berlin', 'daily 22:00-04:00 UTC'];
/** Longer than a gap that swallows the windows of two weeks. */
const mostDays = 22;

/** The zone is compulsory, because the readers of a policy have different ones. */
export function readWindow(words: string): ReadWords<{ readonly window: MaintenanceWindow }> {
  const read = windowIn(words);
  if ('days' in read) return { ok: true, window: read };
  const instead = usable([...read.instead, ...windowExamples], (other) => 'days' in windowIn(other));
  return { ok: false, why: `${asTyped(words)} ${read.why}.`, instead };
}

function windowIn(typed: string): MaintenanceWindow | Unread {
  const refused = (why: string, ...instead: readonly string[]) => ({ why, instead });
  const [, daysSaid = '', fromSaid = '', toSaid = '', zoneSaid] =
    /^(\S+) (\d[\d:]*(?:[ap]m)?) ?[-–] ?(\d[\d:]*(?:[ap]m)?)(?: (\S+))?$/i.exec(typed.trim().replace(/\s+/g, ' ')) ??
    [];
  const days = daysIn(daysSaid.toLowerCase());
  const [reading, other] = hoursBetween(fromSaid.toLowerCase(), toSaid.toLowerCase());
  const [from, to] = (reading ?? []).map(endIn);
  if (days === undefined || from === undefined || to === undefined || from.hours === 24)
    return refused('does not say days, two hours and a time zone');
  if (zoneSaid === undefined) return refused('does not say its time zone', `${typed} UTC`);
  const timeZone = zoneBehind(`at ${zoneSaid}`).zones[0];
  if (timeZone === undefined) return refused('has an unknown time zone');
  const readings = [reading, other].map((hours) => `${daysSaid} ${hours?.join('-')} ${timeZone}`);
  if (other !== undefined) return refused('does not say am or pm of both hours', ...readings);
  if (sayClock(from) === sayClock(to)) return refused('has no length');
  return { days, from, to, timeZone };
}

function endIn(phrase: string): WallTime | undefined {
  const clock = clockOf(phrase === '24' ? '24:00' : phrase);
  return clock === undefined ? undefined : { hours: clock.hours, minutes: clock.minutes };
}

/** `sun 02:00-05:00 Europe/Berlin`, which reads as the same window. */
export function sayWindow({ days, from, to, timeZone }: MaintenanceWindow): string {
  return `${sayDays(days)} ${sayClock(from)}-${sayClock(to)} ${timeZone}`;
}

/**
 * The window that is open at an instant, or the next one. Its ends keep their hours when the clocks change; a window that
 * the clocks skip does not exist that week.
 */
export function nextWindow({ days, from, to, timeZone }: MaintenanceWindow, afterMs: number) {
  const today = wallClock(afterMs, timeZone);
  const overNight = sayClock(to) <= sayClock(from) ? 1 : 0;
  // The window of yesterday may be open.
  for (let ahead = -1; ahead <= mostDays; ahead++) {
    const on = { ...today, day: today.day + ahead };
    if (!days.includes(weekdayOf(on))) continue;
    const opens = firstAt({ ...on, ...from }, timeZone);
    const closes = firstAt({ ...on, day: on.day + overNight, ...to }, timeZone);
    if (closes > afterMs && closes > opens) return { from: opens, to: closes };
  }
  throw new RangeError('No day is chosen.');
}

/** `22:00-07:00`, `10pm to 7am`; undefined if the text says no hours. */
export function readDayHours(typed: string): DayHours | undefined {
  const times = typed
    .toLowerCase()
    .replace(/^(?:from|between) /, '')
    .split(/[-–—]|\bto\b|\buntil\b|\band\b/)
    .map((time) => time.trim());
  const [reading = [], unclear] = hoursBetween(times[0] ?? '', times[1] ?? '');
  const [from, to] = reading.map((time) => {
    const clock = clockOf(time.replace(/^(\d{1,2})(\d\d)/, '$1:$2'));
    return clock && sayClock(clock);
  });
  return times.length > 2 || unclear !== undefined ? undefined : dayHoursSchema.safeParse({ from, to }).data;
}

/** Reads the five fields of cron, to offer the days and the hour that mean the same. */

const pattern =
  /(?<=^| |=)(?:[\d*/,-]+ ){2}(?=(?:\S+ ){0,2}\S*\*)(?:[\d*/,-]+ ){2}(?:[\d*/,-]+|(?:(?:sun|mon|tue|wed|thu|fri|sat)[-,]?)+)(?= |$)/i;

/** `same`: the words of `every`, such as `sun 03:00`, and their meaning; undefined if there are none. */
export function cronIn(line: string) {
  const [expression] = pattern.exec(line) ?? [];
  if (expression === undefined) return undefined;
  const [, minute, hour, days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/.exec(expression) ?? [];
  // 0 and 7 are Sunday.
  const named = days.replace(/\d/g, (digit) => shortDay(Number(digit) % everyDay.length));
  const every = `${days === '*' ? 'daily' : named} ${hour?.padStart(2, '0')}:${minute?.padStart(2, '0')}`;
  const read = readWeekly(every, 'UTC');
  return read.ok ? { expression, same: { every, says: sayEvery(read.recurrence) } } : { expression, same: undefined };
}
