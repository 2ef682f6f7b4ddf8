import { expect, test } from 'vitest';
import type { Order } from '../../src/core/account.ts';
import { ordersWith } from '../../src/core/search.ts';

const order = (id: string, name: string, hostname: string | null = null, addresses: string[] = []): Order => ({
  kind: 'vps',
  id,
  label: name,
  name,
  hostname,
  addresses,
  type: 'vps',
  plan: 'web',
  status: 'active',
  costMonth: 1,
  expires: null,
  tags: ['web'],
  project: null,
  isCancelMarked: false,
});

const orders = [
  order('34-1', 'Web-1', 'one.example.com', ['192.0.2.1', '2001:db8::1']),
  order('34-2', 'İstanbul web-2', null, ['192.0.2.2']),
  order('34-22', 'db\nweb', 'two.example.com', ['192.0.2.22']),
  order('34-3', '', null, []),
];
const idsWith = (word: string) => [...ordersWith(orders, word)].map(({ id }) => id);

test.each([
  ['web', ['34-1', '34-2', '34-22']],
  ['WEB-2', ['34-2']],
  ['192.0.2.2', ['34-2', '34-22']],
  ['2001:DB8', ['34-1']],
  ['example.com', ['34-1', '34-22']],
  ['34-3', ['34-3']],
  ['34-', ['34-1', '34-2', '34-22', '34-3']],
  ['', ['34-1', '34-2', '34-22', '34-3']],
  ['plan', []],
  // Across two of its names, or two orders, is in none of them.
  ['web-1\0one', []],
  ['1\n34-2', []],
  ['1one', []],
])('%j', (word, ids) => {
  expect(idsWith(word)).toEqual(ids);
});

test('what is found is what looking at each of them finds', () => {
  const many = Array.from({ length: 500 }, (_, n) =>
    order(`34-${n}`, `web-${n % 37}`, `h${n}.test`, [`192.0.2.${n % 256}`]),
  );
  for (const word of ['7', 'web-3', '.25', 'h1', '34-4', 'test']) {
    const one = many.filter(({ id, name, hostname, addresses }) =>
      [id, name, hostname ?? '', ...addresses].some((text) => text.includes(word)),
    );
    expect([...ordersWith(many, word)], word).toEqual(one);
  }
});
