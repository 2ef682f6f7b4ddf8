import { expect, test } from 'vitest';
import { readDayHours } from '../../../src/core/time/read-day-hours.ts';
import { nextOf, readWeekly, sayWeekly, type Weekly } from '../../../src/core/time/weekly.ts';
import { nextWindow, readWindow, sayWindow } from '../../../src/core/time/window.ts';

const zone = 'Europe/Berlin';

function weekly(words: string, timeZone = zone): Weekly {
  const read = readWeekly(words, timeZone);
  if (!read.ok) throw new Error(read.why);
  return read.recurrence;
}

const said: [words: string, says: string][] = [
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
  ['daily 09:00 america/new_york', 'daily 09:00 America/New_York'],
  ['daily 09:00 UTC', 'daily 09:00 UTC'],
  ['daily 09:00 europe/kyiv', 'daily 09:00 Europe/Kyiv'],
];
test.each(said)('"%s" is read as a recurrence and said as "%s"', (words, says) => {
  expect(sayWeekly(weekly(words))).toBe(says);
  expect(weekly(says)).toEqual(weekly(words));
});

test.each([
  ['03:00', ['daily 03:00', 'mon-fri 03:00', 'sun 03:00']],
  ['sun', ['sun 03:00', 'sun 09:00', 'daily 09:00']],
  ['sunny 03:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['mon-tue-wed 03:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['daily 25:00', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['daily 09:00 Mars/Olympus', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
  ['', ['sun 03:00', 'daily 09:00', 'mon-fri 08:00']],
])('"%s" is refused as a recurrence', (words, instead) => {
  expect(readWeekly(words, zone)).toEqual({ ok: false, why: `\`${words}\` does not say days and an hour.`, instead });
});

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
  expect(runs('daily 02:30', '2027-03-27T00:00Z', 3)).toEqual([
    '2027-03-27T01:30',
    '2027-03-28T01:00',
    '2027-03-29T00:30',
  ]);
  expect(runs('daily 02:30', '2027-10-30T00:00Z', 3)).toEqual([
    '2027-10-30T00:30',
    '2027-10-31T00:30',
    '2027-11-01T01:30',
  ]);
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
