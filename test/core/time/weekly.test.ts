import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  nextOf,
  nextWindow,
  readDayHours,
  readWeekly,
  readWindow,
  sayWeekly,
  sayWindow,
  type Weekly,
} from '../../../src/core/time/weekly.ts';

const zone = 'Europe/Berlin';

function weekly(words: string, timeZone = zone): Weekly {
  const read = readWeekly(words, timeZone);
  if (!read.ok) throw new Error(read.why);
  return read.recurrence;
}

test.each<[words: string, says: string]>([
  ['sun 03:00', 'sun 03:00 Europe/Berlin'],
  ['Sunday at 3am', 'sun 03:00 Europe/Berlin'],
  ['every sunday 03:00', 'sun 03:00 Europe/Berlin'],
  ['daily 09:00', 'daily 09:00 Europe/Berlin'],
  ['every day at 9 am', 'daily 09:00 Europe/Berlin'],
  ['mon-fri 08:00', 'mon-fri 08:00 Europe/Berlin'],
  ['weekdays 08:00', 'mon-fri 08:00 Europe/Berlin'],
  ['fri-mon 08:00', 'fri-mon 08:00 Europe/Berlin'],
  ['mon,thu 22:30', 'mon,thu 22:30 Europe/Berlin'],
  ['thu and mon 22:30', 'mon,thu 22:30 Europe/Berlin'],
  ['sat midnight', 'sun 00:00 Europe/Berlin'],
  ['every night at 3', 'daily 03:00 Europe/Berlin'],
  ['friday evening at 8', 'fri 20:00 Europe/Berlin'],
  ['weekly on sunday 3am', 'sun 03:00 Europe/Berlin'],
  ['at 3am every monday and thursday', 'mon,thu 03:00 Europe/Berlin'],
  ['mondays 4am', 'mon 04:00 Europe/Berlin'],
  ['monday to friday at 6am', 'mon-fri 06:00 Europe/Berlin'],
  ['daily 09:00 america/new_york', 'daily 09:00 America/New_York'],
  ['daily 09:00 UTC', 'daily 09:00 UTC'],
  ['daily 09:00 europe/kyiv', 'daily 09:00 Europe/Kyiv'],
])('"%s" is read as a recurrence and said as "%s"', (words, says) => {
  expect(sayWeekly(weekly(words))).toBe(says);
  expect(weekly(says)).toEqual(weekly(words));
});

test.each([
  ['03:00', ['daily 03:00', 'mon-fri 03:00', 'sun 03:00']],
  ['sun', ['sun 03:00', 'sun 09:00', 'sun 15:00']],
  ['weekly', ['sun 03:00', 'sun 09:00', 'sun 15:00']],
  ['friday night', ['friday night 20:00', 'friday night 22:00', 'sun 03:00']],
  ['friday night at 2', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['daily 9:00 PST', ['daily 9:00 America/Los_Angeles', 'daily 9:00 Asia/Manila', 'sun 03:00']],
  ['sunny 03:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['mon-tue-wed 03:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['daily 25:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['daily 09:00 Mars/Olympus', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
])('"%s" is refused as a recurrence', (words, instead) => {
  expect(readWeekly(words, zone)).toEqual({ ok: false, why: `\`${words}\` does not say days and an hour.`, instead });
});

const cases = ['2 hours', 'hourly', '1st of the month', 'other day at 9am', 'second monday 3am'];
test.each(cases)('"%s" is refused as a recurrence that cannot be done', (words) =>
  expect(readWeekly(words, zone)).toMatchObject({ ok: false, why: expect.stringContaining('cannot be done') }),
);

/** The next runs after an instant, as UTC. */
function runs(words: string, after: string, number: number, timeZone = zone): string[] {
  const recurrence = weekly(words, timeZone);
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < number; ) {
    at = nextOf(recurrence, at);
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

test('a recurrence keeps its hour when the clocks change', () => {
  expect(runs('sun 03:00', '2027-03-20T00:00Z', 2)).toEqual(['2027-03-21T02:00', '2027-03-28T01:00']);
});

test('a missing hour runs at the first minute after the gap, and a doubled hour once', () => {
  const seen = runs('daily 02:30', '2027-03-27T00:00Z', 3);
  expect(seen).toEqual(['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30']);
  const shown = runs('daily 02:30', '2027-10-30T00:00Z', 3);
  expect(shown).toEqual(['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30']);
  // In Cairo the clocks skip the midnight.
  expect(runs('daily 00:00', '2026-04-23T00:00Z', 2, 'Africa/Cairo')).toEqual(['2026-04-23T22:00', '2026-04-24T21:00']);
});

test('the run of this instant is past', () => {
  expect(runs('daily 09:00', '2026-11-26T08:00Z', 1)).toEqual(['2026-11-27T08:00']);
});

function span(words: string, after: string): string {
  const read = readWindow(words);
  if (!read.ok) throw new Error(read.why);
  const { from, to } = nextWindow(read.window, Date.parse(after));
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16)).join(' ');
}

const windows: [words: string, after: string, span: string][] = [
  ['sun 02:00-05:00 Europe/Berlin', '2026-11-26T12:00Z', '2026-11-29T01:00 2026-11-29T04:00'],
  ['sun 02:00-05:00 Europe/Berlin', '2026-11-29T01:00Z', '2026-11-29T01:00 2026-11-29T04:00'],
  ['sun 02:00-05:00 Europe/Berlin', '2026-11-29T04:00Z', '2026-12-06T01:00 2026-12-06T04:00'],
  ['daily 22:00-04:00 UTC', '2026-11-26T03:00Z', '2026-11-25T22:00 2026-11-26T04:00'],
  ['daily 22:00-04:00 UTC', '2026-11-26T04:00Z', '2026-11-26T22:00 2026-11-27T04:00'],
  ['fri 22:00-04:00 UTC', '2026-11-28T03:59Z', '2026-11-27T22:00 2026-11-28T04:00'],
  ['sat,sun 02:00-05:00 UTC', '2026-11-28T06:00Z', '2026-11-29T02:00 2026-11-29T05:00'],
  ['daily 0:00-24:00 UTC', '2026-11-28T06:00Z', '2026-11-28T00:00 2026-11-29T00:00'],
  ['sat 10pm-4am UTC', '2026-11-28T06:00Z', '2026-11-28T22:00 2026-11-29T04:00'],
  ['sun 2-5pm UTC', '2026-11-28T06:00Z', '2026-11-29T14:00 2026-11-29T17:00'],
  ['sun 2:30-5pm UTC', '2026-11-28T06:00Z', '2026-11-29T14:30 2026-11-29T17:00'],
  ['sun 2-5am UTC', '2026-11-28T06:00Z', '2026-11-29T02:00 2026-11-29T05:00'],
  ['sun 11-1pm UTC', '2026-11-28T06:00Z', '2026-11-29T11:00 2026-11-29T13:00'],
  ['sun 12-1pm UTC', '2026-11-28T06:00Z', '2026-11-29T12:00 2026-11-29T13:00'],
  ['sun 12-2am UTC', '2026-11-28T06:00Z', '2026-11-29T00:00 2026-11-29T02:00'],
  ['sun 10-12pm UTC', '2026-11-28T06:00Z', '2026-11-29T10:00 2026-11-29T12:00'],
  ['sun 14-5pm UTC', '2026-11-28T06:00Z', '2026-11-29T14:00 2026-11-29T17:00'],
  ['sat 22-2am UTC', '2026-11-28T06:00Z', '2026-11-28T22:00 2026-11-29T02:00'],
  ['sun 2pm-5 UTC', '2026-11-28T06:00Z', '2026-11-29T14:00 2026-11-29T17:00'],
  ['sat 10pm-2 UTC', '2026-11-28T06:00Z', '2026-11-28T22:00 2026-11-29T02:00'],
  ['sat 11am-2pm UTC', '2026-11-28T06:00Z', '2026-11-28T11:00 2026-11-28T14:00'],
  // The clocks go forward at 02:00 and back at 03:00.
  ['sun 02:00-05:00 Europe/Berlin', '2027-03-27T12:00Z', '2027-03-28T01:00 2027-03-28T03:00'],
  ['sun 02:00-05:00 Europe/Berlin', '2027-10-30T12:00Z', '2027-10-31T00:00 2027-10-31T04:00'],
  ['sun 02:00-03:00 Europe/Berlin', '2027-03-27T12:00Z', '2027-04-04T00:00 2027-04-04T01:00'],
];
test.each(windows)('the window "%s" after %s', (words, after, expected) => {
  expect(span(words, after)).toBe(expected);
});

const usual = ['sun 02:00-05:00 Europe/Berlin', 'daily 22:00-04:00 UTC'];
test.each([
  ['sun 02:00-05:00', 'does not say its time zone', ['sun 02:00-05:00 UTC', ...usual]],
  ['sun 02:00-05:00 Mars/Olympus', 'has an unknown time zone', usual],
  ['sun 02:00-02:00 UTC', 'has no length', usual],
  ['sun 24:00-02:00 UTC', 'does not say days, two hours and a time zone', usual],
  // A start that the end's half of the day does not fit may be in either half.
  ['sun 10-2am UTC', 'does not say am or pm of both hours', ['sun 10am-2am UTC', 'sun 10pm-2am UTC', usual[0]]],
  ['sun 9am-5 UTC', 'does not say am or pm of both hours', ['sun 9am-5am UTC', 'sun 9am-5pm UTC', usual[0]]],
  ['sun 02:00 UTC', 'does not say days, two hours and a time zone', usual],
  ['sunny 02:00-05:00 UTC', 'does not say days, two hours and a time zone', usual],
])('the window "%s" is refused: it %s', (words, why, instead) => {
  expect(readWindow(words)).toEqual({ ok: false, why: `\`${words}\` ${why}.`, instead });
});

test.each([
  ['10pm to 7am', '22:00-07:00'],
  ['22-7', '22:00-07:00'],
  ['2-5pm', '14:00-17:00'],
  ['11 to 1pm', '11:00-13:00'],
  ['10-7am', undefined],
])('the quiet hours "%s" are %s', (typed, read) => {
  const hours = readDayHours(typed);
  expect(hours && `${hours.from}-${hours.to}`).toBe(read);
});

test('a window is said in words that read as the same window', () => {
  for (const [words] of windows) {
    const read = readWindow(words);
    if (read.ok) expect(readWindow(sayWindow(read.window))).toEqual(read);
    expect(read.ok).toBe(true);
  }
});

/** Compares with Intl, which the library of zones is not. `npm --prefix proof run zones` checks all zones. */

const minute = 60_000;
const day = 1_440 * minute;
const begin = Date.UTC(2026, 0);
const years = 5 * 365;

/** The wall at an instant as if it were UTC, by Intl. */
function wallIn(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  return (ms) => {
    const parts = format.formatToParts(ms);
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  };
}

/** The first instant after a day on which the clocks change, or the day itself in a zone where they do not. */
function changeAfter(wallAt: (ms: number) => number, from: number): number {
  const offset = (ms: number) => wallAt(ms) - ms;
  let late = from;
  for (let step = 0; step < 40 && offset(late) === offset(from); step++) late += 10 * day;
  if (offset(late) === offset(from)) return from;
  let early = late - 10 * day;
  while (late - early > minute) {
    const middle = early + Math.floor((late - early) / 2 / minute) * minute;
    if (offset(middle) === offset(early)) early = middle;
    else late = middle;
  }
  return late;
}

/** Half of them in the hours that change. */
const minutesOfDay = fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 240 }));
const place = fc.record({
  timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  dayNumber: fc.integer({ min: 0, max: years - 1 }),
  clock: minutesOfDay,
});

const everyDay = [0, 1, 2, 3, 4, 5, 6];

test('a daily run comes once a day, at its hour or after the gap, beside every change of the clocks', () => {
  const property = fc.property(place, ({ timeZone, dayNumber, clock }) => {
    const wallAt = wallIn(timeZone);
    const change = changeAfter(wallAt, begin + dayNumber * day);
    const recurrence: Weekly = { days: everyDay, hours: Math.floor(clock / 60), minutes: clock % 60, timeZone };
    let at = nextOf(recurrence, change - 3 * day);
    let wanted = Math.floor(wallAt(at) / day) * day + clock * minute;
    for (let n = 0; n < 6; n++) {
      const shown = wallAt(at);
      // In a gap the clocks jump over the hour at this instant.
      if (shown !== wanted) expect([wallAt(at - minute) < wanted, shown > wanted]).toEqual([true, true]);
      for (const earlier of [30, 60, 120]) expect(wallAt(at - earlier * minute)).not.toBe(wanted);
      const next = nextOf(recurrence, at);
      expect(next).toBeGreaterThan(at);
      expect(nextOf(recurrence, next - 1)).toBe(next);
      at = next;
      wanted += day;
    }
  });
  fc.assert(property, { numRuns: 80 });
});

test('a window opens and closes at its hours, holds the instant or comes after it, and never overlaps the next', () => {
  const property = fc.property(place, fc.integer({ min: 30, max: 1_439 }), ({ timeZone, dayNumber, clock }, length) => {
    const wallAt = wallIn(timeZone);
    const change = changeAfter(wallAt, begin + dayNumber * day);
    const timeOf = (minutes: number) => ({ hours: Math.floor((minutes % 1_440) / 60), minutes: minutes % 60 });
    const window = { days: everyDay, from: timeOf(clock), to: timeOf(clock + length), timeZone };
    let { from, to } = nextWindow(window, change - 2 * day);
    for (let n = 0; n < 5; n++) {
      expect(to).toBeGreaterThan(from);
      for (const inside of [from, Math.floor((from + to) / 2), to - 1])
        expect(nextWindow(window, inside)).toEqual({ from, to });
      const next = nextWindow(window, to);
      expect(next.from).toBeGreaterThanOrEqual(to);
      ({ from, to } = next);
    }
  });
  fc.assert(property, { numRuns: 30 });
});

test('a recurrence is said in words that read as the same one', () => {
  const days = fc.subarray(everyDay, { minLength: 1 });
  fc.assert(
    fc.property(days, minutesOfDay, fc.constantFrom('Europe/Berlin', 'UTC', 'Europe/Kyiv'), (days, clock, timeZone) => {
      const recurrence = { days, hours: Math.floor(clock / 60), minutes: clock % 60, timeZone };
      expect(readWeekly(sayWeekly(recurrence), 'Asia/Tokyo')).toEqual({ ok: true, recurrence });
    }),
    { numRuns: 200 },
  );
});
