import { Temporal } from 'temporal-polyfill';

/** Converts between instants and the clocks on the walls of a time zone. Only this file uses the library of zones. */

export interface WallDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}
export interface WallTime {
  readonly hours: number;
  readonly minutes: number;
}
/** A day and an hour as read from a wall. The day may lie beyond its month and 24:00 is the next midnight. */
export type Wall = WallDay & WallTime;

/** The zone's usual spelling, or undefined for an unknown one. Intl would answer with old names: Kiev for Kyiv. */
export function zoneNamed(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

export function wallClock(ms: number, timeZone: string): Wall {
  // A shared clock may have fractions of a millisecond.
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms));
  const { year, month, day, hour, minute } = instant.toZonedDateTimeISO(timeZone);
  return { year, month, day, hours: hour, minutes: minute };
}

/** All instants at which the clocks show this: usually one, none where they skip it, two where they show it again. */
export function readingsOf(wall: Wall, timeZone: string): readonly number[] {
  const [earlier, later] = around(wall, timeZone);
  if (earlier.epochMilliseconds === later.epochMilliseconds) return [earlier.epochMilliseconds];
  const isShown = earlier.toPlainDateTime().equals(plainOf(wall));
  return isShown ? [earlier.epochMilliseconds, later.epochMilliseconds] : [];
}

/** The first instant at which the clocks show this, or the end of the gap if they skip it. */
export function firstAt(wall: Wall, timeZone: string): number {
  const [earlier, later] = around(wall, timeZone);
  if (earlier.epochMilliseconds === later.epochMilliseconds || earlier.toPlainDateTime().equals(plainOf(wall)))
    return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition('next') ?? later).epochMilliseconds;
}

/** 0 is Sunday. */
export function weekdayOf(wall: WallDay): number {
  return plainOf({ ...wall, hours: 0, minutes: 0 }).dayOfWeek % 7;
}

export function daysInMonth({ year, month }: Omit<WallDay, 'day'>): number {
  return Temporal.PlainYearMonth.from({ year, month }).daysInMonth;
}

/** The same wall with a day of its month and an hour of its day. */
export function onCalendar(wall: Wall): Wall {
  const { year, month, day, hour, minute } = plainOf(wall);
  return { year, month, day, hours: hour, minutes: minute };
}

/** `+02:00` at this instant */
export function offsetAt(ms: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).offset;
}

/** Both ways to read a wall where the clocks change; the same twice everywhere else. */
function around(wall: Wall, timeZone: string): [earlier: Temporal.ZonedDateTime, later: Temporal.ZonedDateTime] {
  const plain = plainOf(wall);
  return [
    plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' }),
    plain.toZonedDateTime(timeZone, { disambiguation: 'later' }),
  ];
}

function plainOf({ year, month, day, hours, minutes }: Wall): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from({ year, month, day: 1 })
    .add({ days: day - 1 })
    .add({ hours, minutes });
}
