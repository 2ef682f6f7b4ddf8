import { day, hour, minute } from '../core/text/words.ts';
import { firstAt, wallClock, zoneNamed } from '../core/time/zone.ts';

const steps = [
  ...[5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 7, 14, 30, 60].map((n) => n * day),
];
/** Labels that fit beside one another; a date is wider than a time. */
const most = { times: 8, dates: 7 };

/** Ticks at round local times of the reader, each with its own UTC offset, so that summer time keeps them round. */
export function timeTicks(fromMs: number, toMs: number, timeZone: string) {
  // The profile of a person may have a zone that this machine does not know.
  const zone = zoneNamed(timeZone) ?? 'UTC';
  const step = steps.find((ms) => (toMs - fromMs) / ms <= (ms < day ? most.times : most.dates)) ?? 90 * day;
  const at: number[] = [];
  for (let local = Math.ceil(localMs(fromMs, zone) / step) * step; local <= localMs(toMs, zone); local += step) {
    const instant = firstAt({ year: 1970, month: 1, day: 1, hours: 0, minutes: local / minute }, zone);
    if (instant >= fromMs && instant <= toMs && instant !== at.at(-1)) at.push(instant);
  }
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = format({ day: 'numeric', month: 'short' });
  // `14:30`, or the date at midnight and if the step is a day or more.
  return { at, label: (atMs: number) => (step >= day || localMs(atMs, zone) % day === 0 ? date : time).format(atMs) };
}

/** The clocks' reading in the zone as if it were UTC, rounded up to a minute. */
function localMs(atMs: number, zone: string): number {
  const { year, month, day: date, hours, minutes } = wallClock(Math.ceil(atMs / minute) * minute, zone);
  return Date.UTC(year, month - 1, date, hours, minutes);
}
