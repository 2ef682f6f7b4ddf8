import { expect, test } from 'vitest';
import { hasAddress, orderFrom } from '../../../src/core/account/account.ts';
import { coverageOf, renewing } from '../../../src/core/account/coverage.ts';
import { canonicalAddress, isSameAddress } from '../../../src/core/account/ip-address.ts';
import { createServerFinder } from '../../../src/core/account/servers-in-text.ts';
import { resolveOrder } from '../../../src/core/targets/targets.ts';
import { account as known, makeOrder } from '../support.ts';

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

test.each([
  ['2001:db8::10', '2001:db8::10'],
  ['2001:DB8:0:0:0:0:0:10', '2001:db8::10'],
  ['2001:0db8:0000:0000:0000:0000:0000:0010', '2001:db8::10'],
  [' [2001:db8::10] ', '2001:db8::10'],
  ['::ffff:192.0.2.10', '192.0.2.10'],
  ['::FFFF:c000:20a', '192.0.2.10'],
  ['192.0.2.10', '192.0.2.10'],
  ['::', '::'],
])('the address %s is written as %s', (typed, canonical) => {
  expect(canonicalAddress(typed)).toBe(canonical);
});

// URLs and older parsers accept some of these as addresses, but people do not mean addresses.
test.each([
  ...['', 'web-1', '1', '192.0.2', '192.0.2.010', '192.0.2.256', '0x7f.1', '192.0.2.10.', '2001:db8::10%eth0'],
  ...['2001:db8:::1', 'a:b', '::1/64'],
  `${'1:'.repeat(30)}`,
])('"%s" is no address', (typed) => {
  expect(canonicalAddress(typed)).toBe(undefined);
});

test('a word that is no address is equal only to itself', () => {
  expect(isSameAddress('web-1', 'web-1')).toBe(true);
  expect(isSameAddress('web-1', 'web-2')).toBe(false);
  expect(isSameAddress('2001:db8::1', '2001:DB8:0::1')).toBe(true);
});

const mail = makeOrder('34-9', 'mail', {
  addresses: ['192.0.2.90', '2001:db8:25::25'],
  moreAddresses: ['198.51.100.9'],
});
const account = { ...known, orders: [...known.orders, mail] };

const words = ['192.0.2.90', '198.51.100.9', '2001:DB8:25:0:0::25', '[2001:db8:25::25]', '::ffff:192.0.2.90'];
test.each(words)('a server is found by any of its addresses: %s', (word) => {
  expect(resolveOrder(word, { account, maySee: () => true, kinds: ['vps'] }).id).toBe('34-9');
  expect(createServerFinder(account)(`down: ${word}:9100, please look`).map(({ id }) => id)).toEqual(['34-9']);
  expect(hasAddress(word)(mail)).toBe(true);
});

test.each([
  ['web-1', 'a.example.com', 'web-1'],
  ['  ', 'a.example.com', 'a.example.com'],
  ['\u200b', null, '34-1'],
  ['', ' ', '34-1'],
  ['مرحبا', null, 'مرحبا'],
  ['👩‍💻', null, '👩‍💻'],
])('an order with the name %j and the host name %j is called %j', (name, hostname, label) => {
  const money = { cost_month: null, tariff_price: null, tariff: '' };
  const rest = { type: 'vps', status: 'active', tags: [], project: null, expiration_date: null, cancel_mark: null };
  expect(orderFrom({ ...money, ...rest, id: '34-1', name, hostname, ipaddress_set: [] }, 'vps').label).toBe(label);
});
