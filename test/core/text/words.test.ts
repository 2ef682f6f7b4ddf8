import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytes,
  count,
  day,
  firstFew,
  list,
  money,
  monthly,
  parseSpan,
  sayDuration,
  spanText,
} from '../../../src/core/text/words.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const spans: [typed: string, ms: number | undefined][] = [
  ['90s', 90 * second],
  ['15m', 15 * minute],
  ['24h', day],
  ['7d', 7 * day],
  ['2w', 14 * day],
  ['1h30m', 90 * minute],
  [' 7D ', 7 * day],
  ['1209600s', 14 * day],
  ['0s', 0],
  ['', undefined],
  ['7', undefined],
  ['d', undefined],
  ['-7d', undefined],
  ['7 d', undefined],
  ['1.5h', undefined],
  ['7y', undefined],
  ['9999999999s', undefined],
];
test.each(spans)('the span %j is read', (typed, ms) => expect(parseSpan(typed)).toBe(ms));

test('a span is written as it can be typed', () => {
  const spans = [90 * second, 15 * minute, day, 14 * day, 90 * minute, 0];
  expect(spans.map(spanText).join(' ')).toBe('90s 15m 1d 14d 90m 0s');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000_000 }), (seconds) => {
      expect(parseSpan(spanText(seconds * second))).toBe(seconds * second);
    }),
  );
});

const durations: [ms: number, said: string][] = [
  [-5, '0 s'],
  [0, '0 s'],
  [400, '0 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [72 * second, '1 min 12 s'],
  [3 * hour, '3 h'],
  [3 * hour + 5 * second, '3 h'],
  [3 * hour + 5 * minute + 5 * second, '3 h 5 min'],
  [27 * hour, '1 day 3 h'],
  [13 * day, '13 days'],
  [13 * day + minute, '13 days'],
];
test.each(durations)('%i ms is written as %s', (ms, said) => expect(sayDuration(ms)).toBe(said));

test('an amount of money has two decimals or none', () => {
  const amounts = [84.2, 120, 0, 0.1 + 0.2, 1234.5, 5_000];
  expect(amounts.map((amount) => money(amount, 'EUR')).join(' ')).toBe('€ 84.20 € 120 € 0 € 0.30 € 1,234.50 € 5,000');
  expect([money(5, 'usd'), money(5, 'GBP'), money(5, 'pln')]).toEqual(['$ 5', '£ 5', 'PLN 5']);
});

test('an amount of money in an unknown currency is a bare number', () => {
  expect([money(5.5, undefined), money(5.5, ''), monthly(5.5, undefined)]).toEqual(['5.50', '5.50', '5.50 a month']);
});

test('bytes are written in the units of traffic', () => {
  const small = [0, 1, 999, 1_000, 1_230, 9_996, 12_340, -2_000];
  expect(small.map(bytes).join(', ')).toBe('0 B, 1 B, 999 B, 1.00 kB, 1.23 kB, 10.0 kB, 12.3 kB, −2.00 kB');
  const large = [99_960, 999_400, 999_600, 1.5e9, 2e12, 3e18];
  expect(large.map(bytes).join(', ')).toBe('100 kB, 999 kB, 1.00 MB, 1.50 GB, 2.00 TB, 3000 PB');
});

test('lists and counts read like sentences', () => {
  expect([[], ['a'], ['a', 'b']].map((words) => list(words))).toEqual(['', 'a', 'a and b']);
  expect(list(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  expect([firstFew(['a', 'b'], 2), firstFew(['a', 'b', 'c', 'd'], 2)]).toEqual(['a and b', 'a, b and 2 more']);
  expect([1, 2, 0].map((number) => count(number, 'server'))).toEqual(['1 server', '2 servers', '0 servers']);
  expect(count(1_200, 'entry', 'entries')).toBe('1,200 entries');
});
