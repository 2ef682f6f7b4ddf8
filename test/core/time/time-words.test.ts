import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTime, readWhen } from '../../../src/core/time/moment.ts';
import { saysOnlyTimes, timeAmong, timeAt } from '../../../src/core/time/said-time.ts';

// Wednesday, 18 November 2026, 14:30 in Amsterdam.
const clock = { now: Date.UTC(2026, 10, 18, 13, 30), timeZone: 'Europe/Amsterdam' };

test.each<[said: string, at: string]>([
  ['in 2 hours', '2026-11-18T15:30'],
  ['in an hour', '2026-11-18T14:30'],
  ['in half an hour', '2026-11-18T14:00'],
  ['in 90m', '2026-11-18T15:00'],
  ['in 3 days', '2026-11-21T13:30'],
  ['tomorrow', '2026-11-19T08:00'],
  ['tomorrow 9am', '2026-11-19T08:00'],
  ['tomorrow at 21:15', '2026-11-19T20:15'],
  ['9:30pm tomorrow', '2026-11-19T20:30'],
  ['today 18:00', '2026-11-18T17:00'],
  ['18:00', '2026-11-18T17:00'],
  // Nine has passed today, so the time is tomorrow's.
  ['at 9', '2026-11-19T08:00'],
  ['09:00', '2026-11-19T08:00'],
  ['noon', '2026-11-19T11:00'],
  ['midnight', '2026-11-18T23:00'],
  ['friday', '2026-11-20T08:00'],
  ['Friday 17:00', '2026-11-20T16:00'],
  ['fri', '2026-11-20T08:00'],
  ['monday', '2026-11-23T08:00'],
  // Today is such a day, and its morning is past.
  ['wednesday', '2026-11-25T08:00'],
  ['wednesday 18:00', '2026-11-18T17:00'],
  ['next wednesday 18:00', '2026-11-25T17:00'],
  ['2026-12-01', '2026-12-01T08:00'],
  ['2026-12-01 09:30', '2026-12-01T08:30'],
  // In summer the clock there is another hour ahead.
  ['2027-07-01 09:00', '2027-07-01T07:00'],
])('the words "%s" are read as a time', (said, at) => {
  const ms = readTime(said, clock);
  expect(ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16)).toBe(at);
  const words = said.toLowerCase().split(' ');
  expect(timeAt([...words, 'because', 'of', 'it'], 0)?.end).toBe(words.length);
});

test.each([
  ...['', 'web-1', '14', 'now', 'yesterday', 'in the evening', 'in two', '25:00', '9:75', '13pm', 'the friday'],
  ...['2026-13-45'],
])('%j is refused as a time', (said) => {
  expect(readTime(said, clock)).toBeUndefined();
});

test('any words are read or refused, and a time is read as a time', () => {
  const word = fc.oneof(
    fc.constantFrom(
      ...['in', 'at', 'next', '2', 'hours', 'tomorrow', 'friday', '9am', '09:00', 'an', 'half', 'hour'],
      ...['2026-02-30'],
    ),
    fc.string({ maxLength: 5 }),
  );
  const property = fc.property(fc.array(word, { maxLength: 6 }), (words) => {
    const { kind, end = 0 } = timeAt(words, 0) ?? {};
    expect(end).toBeLessThanOrEqual(words.length);
    // Words that are no time rightly are refused by the reader, with others that it reads.
    const read = readWhen(words.slice(0, end).join(' '), clock);
    if (kind === 'at' && !read.ok) expect(read.instead.filter((other) => !readWhen(other, clock).ok)).toEqual([]);
  });
  fc.assert(property, { numRuns: 500 });
});

test.each([
  ['release at 18:00', 'at 18:00', true],
  ['release in 2 hours', 'in 2 hours', true],
  ['the release until 18:00', 'until 18:00', false],
  ['until tomorrow 9am', 'until tomorrow 9am', false],
  ['from 20 december to 3 january', 'from 20 december', false],
  ['it is closed from friday', 'from friday', false],
  ['crashes every friday', 'every friday', false],
  ['move for two weeks', 'for two weeks', false],
  ['next week', 'next week', false],
])('among the words "%s" is the time "%s"', (said, time, isHour) => {
  const words = said.split(' ');
  const found = timeAmong(words, true);
  expect(found && words.slice(found.at, found.end).join(' ')).toBe(time);
  expect(found?.isHour).toBe(isHour);
});

test.each([
  ...['the release', 'release at work', 'from web-1', 'to', 'a week of work', 'wait for somebody', ''],
  ...['the friday release', 'it crashed at 3am', 'down since friday', 'stuck for 2h, was fine'],
])('the words "%s" say no time to come', (said) => expect(timeAmong(said.split(' '), true)).toBeUndefined());

test('a line of a thousand ambiguous words of time is read in time proportional to its length', () => {
  const times = Array.from({ length: 500 }, () => ['friday', '9am']).flat();
  expect(saysOnlyTimes(times.slice(0, 4), 0)).toBe(true);
  expect(saysOnlyTimes(['friday', 'x'], 0)).toBe(false);
  expect(
    timeAmong(['was', ...Array.from({ length: 5_000 }, () => 'since 9am'.split(' ')).flat()], true),
  ).toBeUndefined();
});
