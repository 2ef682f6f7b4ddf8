import { type DayHours, dayHoursSchema } from '../text/day-hours.ts';
import { sayClock } from './say-hour.ts';
import { clockOf, hoursBetween } from './time-words.ts';

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
