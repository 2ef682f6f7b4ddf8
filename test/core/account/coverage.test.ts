import { expect, test } from 'vitest';
import { coverageOf, renewing } from '../../../src/core/account/coverage.ts';
import { parseProviderDate } from '../../../src/core/view/days.ts';
import { makeOrder } from '../support.ts';

const now = Date.UTC(2026, 0, 1);
const inDays = (days: number) => new Date(now + days * 86_400_000 + 3_600_000).toISOString();
const order = (id: number, days: number, costMonth: number | null, tariffPrice: number | null = costMonth) =>
  makeOrder(`34-${id}`, `web-${id}`, { expires: inDays(days), costMonth, tariffPrice });
const days = (balance: number, ...orders: ReturnType<typeof order>[]) => coverageOf(balance, orders, now).days;

test('the balance pays renewals in their order, each for its own term', () => {
  // A year at 120, which costs 10 a month: an average would say 150 days.
  expect(days(50, order(1, 1, 10, 120))).toBe(1);
  expect(days(50, order(1, 1, 10))).toBe(151);
  expect(days(0, order(1, 20, 10))).toBe(20);
  expect(days(15, order(1, 1, 10), order(2, 9, 10))).toBe(9);
  expect(days(25, order(1, 1, 10), order(2, 9, 10))).toBe(31);
  expect(days(-5, order(1, -3, 10))).toBe(0);
  // A price that is not a multiple does not give the term: services have a price besides the tariff.
  expect(days(30, order(1, 1, 12, 10))).toBe(61);
  expect(days(10_000, order(1, 1, 10))).toBe(30_000);
});

test('no month is paid with less than it costs, at any price of the tariff', () => {
  // A rebate of 2 a month is no term of two months.
  expect(days(35, order(1, 1, 3.5, 5.5))).toBe(301);
  expect(days(35, order(1, 1, 3.5, 6.99))).toBe(301);
  // A year at 120 with services at 1.50 a month: one that is paid by the month would last for two months.
  expect(days(30, order(1, 1, 11.5, 120))).toBe(1);
  expect(days(130, order(1, 1, 11.5, 120))).toBe(301);
  // A twelfth of 100.04 is 8.34, of which twelve are 100.08.
  expect(days(150, order(1, 1, 8.34, 100.04))).toBe(361);
});

test('orders without cost, with a cancellation mark or with an unknown cost do not count', () => {
  expect(days(5, order(1, 1, 0))).toBe(undefined);
  expect(days(5)).toBe(undefined);
  const unknown = coverageOf(5, [order(1, 1, null, null), order(2, 40, 10)], now);
  expect(unknown).toEqual({ days: 40, costMonth: 10, withoutCost: 1 });
  // An order without a date is due now.
  expect(coverageOf(5, [{ ...order(1, 1, 10), expires: null }], now).days).toBe(0);
  const marked = new Set(['34-2']);
  expect(renewing([order(1, 1, 10), order(2, 1, 10)], marked).map(({ id }) => id)).toEqual(['34-1']);
});

test('dates of any form are read, also with a space', () => {
  const ms = Date.UTC(2026, 11, 1, 10);
  const forms: readonly [string, number, boolean][] = [
    ['2026-12-01 10:00:00', ms, true],
    ['2026-12-01 10:00', ms, true],
    ['2026-12-01 10:00:00.25', ms + 250, true],
    ['2026-12-01T10:00:00', ms, true],
    ['2026-12-01T10:00:00Z', ms, false],
    ['2026-12-01 12:00:00+02:00', ms, false],
    ['2026-12-01 12:00:00 +0200', ms, false],
    ['2026-12-01 10:00:00 UTC', ms, false],
    ['2026-12-01', Date.UTC(2026, 11, 1), true],
    [' 2026-12-01 ', Date.UTC(2026, 11, 1), true],
  ];
  for (const [text, at, isNaive] of forms) expect(parseProviderDate(text), text).toEqual({ ms: at, isNaive });
  for (const text of ['', 'soon', '2026-13-01', '10:00', null, undefined])
    expect(parseProviderDate(text)).toBe(undefined);
});
