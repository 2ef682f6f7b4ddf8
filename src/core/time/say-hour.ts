import { months, sentenceStart } from '../text/words.ts';
import { shortDay } from './time-words.ts';
import {
  offsetAt,
  onCalendar,
  readingsOf,
  type Wall,
  type WallDay,
  type WallTime,
  wallClock,
  weekdayOf,
} from './zone.ts';

/** Writes hours for places without Slack's own date format. */

/** `Sun Nov 29, 03:00 Europe/Berlin`; an hour that comes twice has its offset from UTC. */
export function sayHour(ms: number, timeZone: string): string {
  const wall = wallClock(ms, timeZone);
  const isDoubled = readingsOf(wall, timeZone).length > 1;
  return `${sayWall(wall)} ${timeZone}${isDoubled ? ` (UTC${offsetAt(ms, timeZone)})` : ''}`;
}

/** `Sun Nov 29, 03:00` */
export function sayWall(typed: Wall): string {
  const wall = onCalendar(typed);
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
