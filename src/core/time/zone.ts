import { Temporal } from 'temporal-polyfill';
import { wordSet } from '../text/words.ts';

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

/** Reads the time zone at the end of typed words: `22:00 Europe/Berlin`, `03:00 UTC`, `9am PST`, `9am pacific time`. */

/** The zones that an abbreviation may be, the usual one first; people write the winter's name in summer, too. */
const abbreviations: Readonly<Record<string, string>> = {
  'utc gmt z': 'UTC',
  'pst pdt pt pacific': 'America/Los_Angeles Asia/Manila',
  'mst mdt mt mountain': 'America/Denver America/Phoenix',
  'cst cdt ct central': 'America/Chicago Asia/Shanghai America/Havana',
  'est edt et eastern': 'America/New_York America/Panama Australia/Sydney',
  bst: 'Europe/London Asia/Dhaka',
  ist: 'Asia/Kolkata Europe/Dublin Asia/Jerusalem',
  'cet cest': 'Europe/Berlin Africa/Algiers',
  msk: 'Europe/Moscow',
  jst: 'Asia/Tokyo',
};
const zonesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(abbreviations).flatMap(([words, zones]) =>
    [...wordSet(words)].map((word) => [word, zones.split(' ')] as const),
  ),
);

export const zoneWords: readonly string[] = [...zonesOf.keys()];

/** An abbreviation, an offset or a name of the time zone database; undefined for another word. */
function zonesNamed(word: string): readonly string[] | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/.exec(word) ?? [];
  const name =
    sign === undefined ? /^[a-z]+\/[\w/+-]+$/.exec(word)?.[0] : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const zone = name === undefined ? undefined : zoneNamed(name);
  return zonesOf.get(word) ?? (zone === undefined ? undefined : [zone]);
}

/** `zones`: none if no zone is typed, several if the word `name` may be any of them. */
export function zoneBehind(typed: string) {
  const words = typed
    .trim()
    .replace(/ (?:my |our )?(?:local )?time\b/gi, '')
    // `03:00Z` and `22:00+01:00`; with a day before `T` it is one instant.
    .replace(/^((?:.* )?\d\d(?::?\d\d)?)(z|[+-]\d\d:\d\d)$/i, '$1 $2')
    .split(/\s+/);
  const at = words.findLastIndex((word, index) => index > 0 && zonesNamed(word.toLowerCase()) !== undefined);
  const name = words[at] ?? '';
  const others = words.filter((_, index) => index !== at);
  return { words: others.join(' '), zones: zonesNamed(name.toLowerCase()) ?? [], name };
}
