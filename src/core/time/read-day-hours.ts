import { type DayHours, dayHoursSchema } from '../text/day-hours.ts';
import { hoursBetween } from './time-words.ts';

/** `22:00-07:00`, `10pm to 7am`; undefined if the text says no hours. */
export function readDayHours(typed: string): DayHours | undefined {
  const times = typed
    .toLowerCase()
    .replace(/^(?:from|between) /, '')
    .split(/[-–—]|\bto\b|\buntil\b|\band\b/)
    .map((time) => time.trim());
  const [reading = [], unclear] = hoursBetween(times[0] ?? '', times[1] ?? '');
  const [from, to] = reading.map(asClockTime);
  return times.length > 2 || unclear !== undefined ? undefined : dayHoursSchema.safeParse({ from, to }).data;
}

function asClockTime(time: string): string {
  const [, hour = '', minute = '00', half] = /^(\d{1,2})(?::?(\d\d))?\s*(am|pm)?$/.exec(time) ?? [];
  if (hour === '' || (half !== undefined && (Number(hour) < 1 || Number(hour) > 12))) return time;
  const at = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return `${String(at).padStart(2, '0')}:${minute}`;
}
