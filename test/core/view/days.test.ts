import { expect, test } from 'vitest';
import { daysUntil, parseProviderDate, sayDay } from '../../../src/core/view/days.ts';
import { plain } from '../../../src/core/view/view.ts';

test.each<[text: string | null | undefined, iso: string | undefined, isNaive?: boolean]>([
  ['2024-02-05T21:41:25', '2024-02-05T21:41:25.000Z', true],
  ['2024-02-05T21:41:25.123456', '2024-02-05T21:41:25.123Z', true],
  ['2024-02-05', '2024-02-05T00:00:00.000Z', true],
  ['2024-02-05T21:41:25Z', '2024-02-05T21:41:25.000Z', false],
  ['2024-02-05T21:41:25+02:00', '2024-02-05T19:41:25.000Z', false],
  ['2024-02-05T21:41:25-0500', '2024-02-06T02:41:25.000Z', false],
  ['2026-12-01 10:00:00', '2026-12-01T10:00:00.000Z', true],
  ['2026-12-01 10:00', '2026-12-01T10:00:00.000Z', true],
  ['2026-12-01 10:00:00.25', '2026-12-01T10:00:00.250Z', true],
  ['2026-12-01 12:00:00+02:00', '2026-12-01T10:00:00.000Z', false],
  ['2026-12-01 12:00:00 +0200', '2026-12-01T10:00:00.000Z', false],
  ['2026-12-01 10:00:00 UTC', '2026-12-01T10:00:00.000Z', false],
  [' 2026-12-01 ', '2026-12-01T00:00:00.000Z', true],
  ['10:00', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['tomorrow', undefined],
  ['2024-13-45', undefined],
])('the date %j is read', (text, iso, isNaive) => {
  const date = parseProviderDate(text);
  expect(date && { iso: new Date(date.ms).toISOString(), isNaive: date.isNaive }).toEqual(iso && { iso, isNaive });
});

test('the time zone of the process does not change dates', () => {
  const before = process.env.TZ;
  try {
    const read = ['America/Los_Angeles', 'Asia/Tokyo'].map((zone) => {
      process.env.TZ = zone;
      return parseProviderDate('2024-02-05T21:41:25')?.ms;
    });
    expect(read[0]).toBe(read[1]);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test('days are whole, and negative for past dates', () => {
  const now = Date.parse('2024-02-05T12:00:00Z');
  const dates = [
    ...['2024-02-06T12:00:00Z', '2024-02-06T11:59:59Z', '2024-02-05T12:00:00Z', '2024-02-05T11:59:59Z'],
    ...['2024-02-18', null],
  ];
  expect(dates.map((date) => daysUntil(date, now))).toEqual([1, 0, 0, -1, 12, undefined]);
});

test('the day of a date is the one that the provider wrote, for every reader', () => {
  const written = ['2026-12-02', '2026-12-02T00:30:00', '2026-12-02T23:30:00-05:00', '2026-12-02 00:30:00 +0200'];
  const dates = [...written, 'soon', null];
  expect(dates.map((date) => plain(sayDay(date)))).toEqual([...Array(4).fill('Dec 2, 2026'), 'soon', 'unknown']);
});

test('a moment in plain text names its zone, and a day has none', () => {
  const at = Date.UTC(2026, 11, 2, 22, 13);
  expect([plain([{ date: at }]), plain([{ date: at, style: 'day' }])]).toEqual(['2026-12-02 22:13 UTC', 'Dec 2, 2026']);
});
