import { expect, test } from 'vitest';
import type { ProviderOrder } from '../../src/provider/endpoints/orders.ts';
import type { KnownPages } from '../../src/provider/pages.ts';
import { openProvider } from './open.ts';
import { json, orderItem, serve } from './server.ts';

/** A list in pages of two, whose items can be changed between two reads of it. */
async function open(names: readonly string[]) {
  const items = names.map((name, n): Record<string, unknown> => ({ ...orderItem, id: `34-${n}`, name }));
  const server = await serve((request, response) => {
    const at = Number(new URL(request.url, 'http://x').searchParams.get('at'));
    const next = at + 2 < items.length ? `/orders/?at=${at + 2}` : null;
    json(200, { count: items.length, next, results: items.slice(at, at + 2) })(request, response);
  });
  const known: KnownPages = new Map();
  const { provider } = openProvider(server.url);
  return { items, known, read: () => provider.orders.list({}, { knownPages: known }) };
}

const namesOf = (orders: readonly ProviderOrder[]) => orders.map(({ name }) => name);

test('an unchanged page is not parsed again, and a changed page is', async () => {
  const { items, read } = await open(['a', 'b', 'c', 'd', 'e']);
  const first = await read();
  items[2] = { ...items[2], name: 'changed' };
  const second = await read();
  expect(namesOf(first)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(namesOf(second)).toEqual(['a', 'b', 'changed', 'd', 'e']);
  expect([0, 1, 2, 3, 4].map((n) => second[n] === first[n])).toEqual([true, true, false, false, true]);
  expect(namesOf(await read())).toEqual(['a', 'b', 'changed', 'd', 'e']);
});

test('an item that cannot be read is named at each reading of its page', async () => {
  const { items, read } = await open(['a', 'b', 'c']);
  items[1] = { id: '34-1', name: { odd: true } };
  const first = await read();
  const second = await read();
  expect(namesOf(second)).toEqual(['a', 'c']);
  expect(second.unreadable.map(({ id }) => id)).toEqual(['34-1']);
  expect(second.unreadable).toEqual(first.unreadable);
});

test('pages that the list no longer has are forgotten', async () => {
  const { items, known, read } = await open(['a', 'b', 'c', 'd', 'e']);
  await read();
  expect([...known.keys()]).toEqual(['/orders/?page_size=100', '/orders/?at=2', '/orders/?at=4']);
  items.splice(2);
  expect(namesOf(await read())).toEqual(['a', 'b']);
  expect([...known.keys()]).toEqual(['/orders/?page_size=100']);
});

test('a page that changes back to an earlier state is read correctly', async () => {
  const { items, read } = await open(['a', 'b']);
  const [a] = items;
  await read();
  items[0] = { ...a, name: 'other' };
  expect(namesOf(await read())).toEqual(['other', 'b']);
  items[0] = { ...a };
  expect(namesOf(await read())).toEqual(['a', 'b']);
});

test('without pages of an earlier reading everything is parsed', async () => {
  const server = await serve(json(200, { count: 1, next: null, results: [orderItem] }));
  const { provider } = openProvider(server.url);
  const [first] = await provider.orders.list();
  const [second] = await provider.orders.list();
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});
