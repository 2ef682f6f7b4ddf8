import { expect, test } from 'vitest';
import { ordersWith } from '../../../src/commands/servers/list-filter.ts';
import { makeOrder } from '../../core/support.ts';

const shop = makeOrder('34-7', 'Shop-1', {
  hostname: 'shop.example.com',
  addresses: ['2001:db8::7'],
  tags: ['Prod'],
  project: { id: 3, name: 'Web shop' },
});
const orders = [shop, makeOrder('34-8', 'mail-1', { addresses: ['192.0.2.8'] })];

test.each([
  ['34-', ['34-7', '34-8']],
  ['shop-', ['34-7']],
  ['example.com', ['34-7']],
  ['2001:db8:0::7', ['34-7']],
  ['prod', ['34-7']],
  ['web shop', ['34-7']],
  // A tag or a project is named in full.
  ['pro', []],
  ['web', []],
])('of a list, %j finds %j', (word, ids) => {
  expect([...ordersWith(orders, word)].map(({ id }) => id)).toEqual(ids);
});
