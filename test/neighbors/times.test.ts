import * as chrono from 'chrono-node';
import { Cron } from 'croner';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { readWhen } from '../../src/core/time/moment.ts';
import { nextOf, readWeekly } from '../../src/core/time/weekly.ts';
import { isNightly, seed } from '../support/suite/seed.ts';

// A text that Hostler and chrono-node or croner accept means the same instant, but for the rows of a table.

/** Each zone with days beside which its clocks change, if they do. */
const zones: Readonly<Record<string, readonly string[]>> = {
  'Europe/Moscow': [],
  'Europe/London': ['2026-10-25', '2027-03-28'],
  'America/New_York': ['2026-11-01', '2027-03-14'],
  'Australia/Lord_Howe': ['2026-10-04', '2027-04-04'],
  'Asia/Kolkata': [],
  'Pacific/Apia': [],
};
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const ordinary = ['2026-07-15', '2026-12-30', '2027-02-27'];

const place = fc.constantFrom(...Object.keys(zones)).chain((timeZone) =>
  fc.record({
    timeZone: fc.constant(timeZone),
    now: fc
      .tuple(fc.constantFrom(...(zones[timeZone] ?? []), ...ordinary), fc.integer({ min: -5 * 1_440, max: 2 * 1_440 }))
      .map(([date, minutes]) => Date.parse(date) + minutes * 60_000),
  }),
);

const oneOf = (words: string) => fc.constantFrom(...words.split('|'));
const days = oneOf(
  'today|tomorrow|tonight|sunday|friday|wed|next monday|this saturday|2026-12-01|2027-03-28|1 December|Dec 1|25/12|' +
    '4th of July|the day after tomorrow|tomorrow evening|friday morning|sunday night|yesterday|12/25',
);
const hours = oneOf('9am|22:00|02:30|at 3pm|noon|midnight|at 8|9:30 pm|at 00:30|12am|12pm|23:59');
const ends = fc.constantFrom('', '', ' UTC', ' GMT', ' Z');
const text = fc.oneof(
  fc.tuple(days, hours, ends).map(([day, hour, end]) => `${day} ${hour}${end}`),
  fc.tuple(hours, days).map(([hour, day]) => `${hour} ${day}`),
  fc.tuple(hours, ends).map(([hour, end]) => `${hour}${end}`),
  days,
  oneOf('in 2 hours|in 90 minutes|in an hour|in half an hour|in 2 days|in 3 weeks|in 1 month|in 2h|2 hours from now'),
  oneOf('2026-12-01T22:00Z|2026-12-01T22:00+05:30|2026-12-01 22:00|tomorrow at 21:15|next friday at 14:00'),
);

/** Why the two mean something else. */
const allowances: readonly (readonly [why: string, texts: RegExp])[] = [
  ['The midnight of a day ends it, as in a text on a door; for chrono-node it begins the day', /midnight/],
  ['The next Friday is the next one that is not today; for chrono-node it is that of the next week', /^next /],
  ['Tonight is the evening and the hours before six; chrono-node adds twelve hours to these', /tonight/],
  ['A month is 30 days, as in every span of Hostler', /month/],
];

/** The instant that chrono-node means on the clocks of the zone; undefined if it leaves out a word. */
function byChrono(words: string, now: number, timeZone: string): number | undefined {
  // A span is the same on all clocks.
  const zone = /(?: UTC| GMT| Z)$|^in |from now$/.test(words) ? 'UTC' : timeZone;
  const wall = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDateTime();
  const instant = new Date(`${wall.toString({ smallestUnit: 'millisecond' })}Z`);
  const [result, other] = chrono.parse(words, { instant, timezone: 0 }, { forwardDate: true });
  if (result === undefined || other !== undefined || result.text.length < words.length) return undefined;
  const { start } = result;
  if (start.isCertain('timezoneOffset') && zone !== 'UTC' && /Z|\+/.test(words)) return start.date().getTime();
  const read = Temporal.PlainDateTime.from(start.date().toISOString().slice(0, -1));
  // Without an hour, chrono-node implies noon or the present one.
  const isWhole = start.isCertain('hour') || /^in |now$/.test(words);
  return (isWhole ? read : read.with({ hour: 9, minute: 0, second: 0, millisecond: 0 })).toZonedDateTime(zone)
    .epochMilliseconds;
}

test('a typed time is the instant that chrono-node reads', () => {
  const compared = new Set<string>();
  const allowed = new Set<string>();
  const wrong: string[] = [];
  const property = fc.property(place, text, ({ now, timeZone }, words) => {
    const read = readWhen(words, { now, timeZone }, Number.POSITIVE_INFINITY);
    const other = byChrono(words, now, timeZone);
    if (!read.ok || other === undefined || other <= now) return;
    compared.add(words);
    const isSame = Math.floor(read.at / 1_000) === Math.floor(other / 1_000);
    if (isSame) return;
    const row = allowances.find(([, texts]) => texts.test(words));
    if (row !== undefined) allowed.add(row[0]);
    else
      wrong.push(
        `${timeZone} ${new Date(now).toISOString()} ${words}: ${new Date(read.at).toISOString()} ${new Date(other).toISOString()}`,
      );
  });
  fc.assert(property, { seed, numRuns: isNightly ? 50_000 : 4_000 });
  expect(wrong).toEqual([]);
  expect(compared.size).toBeGreaterThan(100);
  expect([...allowed].sort()).toEqual(allowances.map(([why]) => why).sort());
});

test('runs again and again are those of croner', () => {
  const wrong: string[] = [];
  let count = 0;
  const weekly = fc.record({
    days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
    clock: fc.integer({ min: 0, max: 1_439 }),
  });
  const property = fc.property(place, weekly, ({ now, timeZone }, { days, clock }) => {
    const [hours, minutes] = [Math.floor(clock / 60), clock % 60];
    const typed = `every ${days.map((day) => weekdays[day]).join(',')} ${hours}:${String(minutes).padStart(2, '0')}`;
    const read = readWeekly(typed, timeZone);
    if (!read.ok) throw new Error(read.why);
    const cron = new Cron(`${minutes} ${hours} * * ${days.join(',')}`, { timezone: timeZone, paused: true });
    let [own, other] = [now, now];
    for (let n = 0; n < 8; n++) {
      own = nextOf(read.recurrence, own);
      other = cron.nextRun(new Date(other))?.getTime() ?? 0;
      count += 1;
      if (own !== other) {
        wrong.push(`${timeZone} ${typed} ${new Date(own).toISOString()} ${new Date(other).toISOString()}`);
        break;
      }
    }
  });
  fc.assert(property, { seed, numRuns: isNightly ? 5_000 : 500 });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(3_000);
});
