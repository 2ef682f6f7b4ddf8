import { expect, test } from 'vitest';
import { type Curve, extentOf, gapsIn, sayNumber, withGaps } from '../../src/charts/curve.ts';

const curve = (...values: (number | null)[]): Curve => ({
  name: 'CPU',
  points: values.map((value, index) => [index * 60_000, value]),
});

test('gaps do not count for the minimum, the mean or the last value', () => {
  expect(extentOf(curve(null, 4, null, 8, 6, null))).toEqual({ min: 4, mean: 6, max: 8, last: 6 });
});

test('a curve without values has no minimum, mean or maximum', () => {
  expect(extentOf(curve())).toBeUndefined();
  expect(extentOf(curve(null, null))).toBeUndefined();
});

test('a gap is an interruption between values, of any length, and not at the ends', () => {
  expect(gapsIn(curve(1, 2, 3))).toBe(0);
  expect(gapsIn(curve(null, 1, null, null, 2, null, 3, null))).toBe(2);
  expect(gapsIn(curve(null))).toBe(0);
});

test('a value that is not finite, or that is missing, is drawn as a gap', () => {
  const values = { 3: 4, 0: 1, 1: Number.NaN, 2: Number.POSITIVE_INFINITY, 10: 5 };
  const points = [3, 0, 1, 2, 10].map((n) => [n * 60_000, values[n as keyof typeof values]] as const);
  const drawn = withGaps({ name: 'CPU', points }).points.map(([at, value]) => `${at / 60_000}: ${value}`);
  expect(drawn).toEqual(['0: 1', '1: null', '2: null', '3: 4', '4: null', '10: 5']);
});

test.each([
  [0, '0'],
  [0.04321, '0.0432'],
  [4.126, '4.13'],
  [23.44, '23.4'],
  [1840.2, '1,840'],
  [-12.34, '-12.3'],
])('the value %d is written as %s', (value, words) => expect(sayNumber(value)).toBe(words));
