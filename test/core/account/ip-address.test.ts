import { expect, test } from 'vitest';
import { hasAddress } from '../../../src/core/account/account.ts';
import { canonicalAddress, isSameAddress } from '../../../src/core/account/ip-address.ts';
import { createServerFinder } from '../../../src/core/account/servers-in-text.ts';
import { resolveOrder } from '../../../src/core/targets/targets.ts';
import { account as known, makeOrder } from '../support.ts';

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
  '',
  'web-1',
  '1',
  '192.0.2',
  '192.0.2.010',
  '192.0.2.256',
  '0x7f.1',
  '192.0.2.10.',
  '2001:db8::10%eth0',
  '2001:db8:::1',
  'a:b',
  '::1/64',
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

test.each(['192.0.2.90', '198.51.100.9', '2001:DB8:25:0:0::25', '[2001:db8:25::25]', '::ffff:192.0.2.90'])(
  'a server is found by any of its addresses: %s',
  (word) => {
    expect(resolveOrder(word, { account, maySee: () => true }, ['vps']).id).toBe('34-9');
    expect(createServerFinder(account)(`down: ${word}:9100, please look`).map(({ id }) => id)).toEqual(['34-9']);
    expect(hasAddress(word)(mail)).toBe(true);
  },
);
