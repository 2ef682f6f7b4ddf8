import { type DayHours, dayHoursSchema } from '../text/day-hours.ts';
import { asTyped, type ReadWords, type Unread, usable } from './read-when.ts';
import { sayClock } from './say-hour.ts';
import { clockOf, hoursBetween } from './time-words.ts';
import { firstAt, type WallTime, wallClock, weekdayOf } from './time-zone.ts';
import { daysIn, sayDays, zoneWord } from './weekly.ts';

/** Spans that return each week, on the clocks of a time zone: `sun 02:00-05:00 Europe/Berlin`. */

interface MaintenanceWindow {
  /** The days on which it begins; 0 is Sunday. */
  readonly days: readonly number[];
  readonly from: WallTime;
  /** On the next day if it is not after `from`. */
  readonly to: WallTime;
  readonly timeZone: string;
}

const examples = ['sun 02:00-05:00 Europe/Berlin', 'daily 22:00-04:00 UTC'];
/** Longer than a gap that swallows the windows of two weeks. */
const mostDays = 22;

/** The zone is compulsory, because the readers of a policy have different ones. */
export function readWindow(words: string): ReadWords<{ readonly window: MaintenanceWindow }> {
  const read = windowIn(words);
  if ('days' in read) return { ok: true, window: read };
  const instead = usable([...read.instead, ...examples], (other) => 'days' in windowIn(other));
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
  const timeZone = zoneWord(zoneSaid);
  if (timeZone === undefined) return refused('has an unknown time zone');
  if (other !== undefined)
    return refused(
      'does not say am or pm of both hours',
      ...[reading, other].map((hours) => `${daysSaid} ${hours?.join('-')} ${timeZone}`),
    );
  if (sayClock(from) === sayClock(to)) return refused('has no length');
  return { days, from, to, timeZone };
}

function endIn(phrase: string): WallTime | undefined {
  const clock = /^24(?::00)?$/.test(phrase) ? { hours: 24, minutes: 0 } : clockOf(phrase);
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
export function nextWindow(
  { days, from, to, timeZone }: MaintenanceWindow,
  afterMs: number,
): { from: number; to: number } {
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
