import { day as dayMs, months, sentenceStart } from '../text/words.ts';
import { longDay, shortDay } from './time-words.ts';
import { offsetAt, readingsOf, type Wall, type WallDay, type WallTime, wallClock, weekdayOf } from './zone.ts';

/** Writes hours for places without Slack's own date format. */

/** `Sun Nov 29, 03:00 Europe/Berlin`; an hour that comes twice has its offset from UTC. */
export function sayHour(ms: number, timeZone: string): string {
  const wall = wallClock(ms, timeZone);
  const isDoubled = readingsOf(wall, timeZone).length > 1;
  return `${sayWall(wall)} ${timeZone}${isDoubled ? ` (UTC${offsetAt(ms, timeZone)})` : ''}`;
}

/** `Sun Nov 29, 03:00` */
export function sayWall(wall: Wall): string {
  return `${sentenceStart(shortDay(weekdayOf(wall)))} ${months[wall.month - 1]} ${wall.day}, ${sayClock(wall)}`;
}

/** `03:00` */
export function sayClock({ hours, minutes }: WallTime): string {
  return `${two(hours)}:${two(minutes)}`;
}

/** `2026-11-29 03:00`, as people type it */
export function typedWall(wall: Wall): string {
  return `${typedDay(wall)} ${sayClock(wall)}`;
}

/** `2026-11-29T02:30+01:00`, which means one instant even where the clocks show the hour twice */
export function typedInstant(ms: number, timeZone: string): string {
  const wall = wallClock(ms, timeZone);
  return `${typedDay(wall)}T${sayClock(wall)}${offsetAt(ms, timeZone)}`;
}

export function typedDay({ year, month, day }: WallDay): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** `tomorrow 3:00 PM`, `Friday 3:00 PM`, `Dec 7 3:00 PM`: on the clocks of one zone, for the label of a button. */
export function sayAhead(ms: number, { now, timeZone }: { readonly now: number; readonly timeZone: string }): string {
  const [wall, today] = [wallClock(ms, timeZone), wallClock(now, timeZone)];
  const midnight = (of: WallDay) => Date.UTC(of.year, of.month - 1, of.day);
  const days = (midnight(wall) - midnight(today)) / dayMs;
  const nearby = days < 2 ? ['today', 'tomorrow'][days] : days < 7 ? longDay(weekdayOf(wall)) : undefined;
  return `${nearby ?? sayMonthDay(wall)} ${sayHalf(wall)}`;
}

/** `Mon Nov 30 4:00 AM` */
export function sayDayHour(ms: number, timeZone: string): string {
  const wall = wallClock(ms, timeZone);
  return `${sentenceStart(shortDay(weekdayOf(wall)))} ${sayMonthDay(wall)} ${sayHalf(wall)}`;
}

/** `Jan 27` */
export function sayMonthDay({ month, day }: WallDay): string {
  return `${months[month - 1]} ${day}`;
}

/** `3:00 PM` */
export function sayHalf({ hours, minutes }: WallTime): string {
  return `${hours % 12 || 12}:${two(minutes)} ${hours % 24 < 12 ? 'AM' : 'PM'}`;
}
