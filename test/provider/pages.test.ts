import { expect, test } from 'vitest';
import type { ProviderOrder } from '../../src/provider/endpoints/orders.ts';
import type { KnownPages } from '../../src/provider/pages.ts';
import { errorOf, openAt } from './open.ts';
import { type Answer, json, oneByOne, orderItem } from './server.ts';

/** A list in pages of two, whose items can be changed between two reads of it. */
async function open(names: readonly string[]) {
  const items = names.map((name, n): Record<string, unknown> => ({ ...orderItem, id: `34-${n}`, name }));
  const { provider } = await openAt((request, response) => {
    const at = Number(new URL(request.url, 'http://x').searchParams.get('at'));
    const next = at + 2 < items.length ? `/orders/?at=${at + 2}` : null;
    json(200, { count: items.length, next, results: items.slice(at, at + 2) })(request, response);
  });
  const known: KnownPages = new Map();
  return { items, known, read: () => provider.orders.list({}, { knownPages: known }) };
}

const namesOf = (orders: readonly ProviderOrder[]) => orders.map(({ name }) => name);

test('an unchanged page is not parsed again, and a page that changes, and changes back, is', async () => {
  const { items, read } = await open(['a', 'b', 'c', 'd', 'e']);
  const first = await read();
  items[2] = { ...items[2], name: 'changed' };
  const second = await read();
  expect(namesOf(first)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(namesOf(second)).toEqual(['a', 'b', 'changed', 'd', 'e']);
  expect([0, 1, 2, 3, 4].map((n) => second[n] === first[n])).toEqual([true, true, false, false, true]);
  expect(namesOf(await read())).toEqual(['a', 'b', 'changed', 'd', 'e']);
  items[2] = { ...items[2], name: 'c' };
  expect(namesOf(await read())).toEqual(['a', 'b', 'c', 'd', 'e']);
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

test('without pages of an earlier reading everything is parsed', async () => {
  const { provider } = await openAt(json(200, { count: 1, next: null, results: [orderItem] }));
  const [first] = await provider.orders.list();
  const [second] = await provider.orders.list();
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

/** A page of a list of orders. */
const page = (ids: readonly string[], next: string | null, count = ids.length) =>
  json(200, { count, next, results: ids.map((id) => ({ ...orderItem, id })) });

test('a list is read to its end, page by page', async () => {
  const answers = ['2', '3', undefined].map((next, n) =>
    page([`34-${n + 1}`], next === undefined ? null : `/api/orders/?page_size=100&page=${next}`, 3),
  );
  const { server, provider } = await openAt(oneByOne(...answers), {}, '/api');
  const orders = await provider.orders.list();
  expect(orders.map(({ id }) => id)).toEqual(['34-1', '34-2', '34-3']);
  const paths = ['', '&page=2', '&page=3'].map((end) => `/api/orders/?page_size=100${end}`);
  expect(server.received.map(({ url }) => url)).toEqual(paths);
});

test.each([
  ['to another list', (url: string) => `${url}/project/?page=2`, 'next leads away from'],
  ['nowhere', () => 'http://', 'next leads away from'],
  ['in a circle', (url: string) => `${url}/orders/?page=2`, 'next leads in a circle'],
])('a next page that leads %s is not followed', async (_, next, words) => {
  const { server, provider } = await openAt((request, response) => page([], next(server.url))(request, response));
  const error = await errorOf(provider.orders.list());
  expect(error).toMatchObject({ kind: 'shape', endpoint: 'GET /orders/' });
  expect(error.words).toContain(words);
  expect(server.received.every(({ url }) => url.startsWith('/orders/'))).toBe(true);
});

test('the next page is read from the configured server, with any scheme and host in its link', async () => {
  for (const origin of ['http://internal.example', 'https://127.0.0.1:1', 'http://evil.example']) {
    const answers = oneByOne(page(['34-1'], `${origin}/api/orders/?page=2`, 2), page(['34-2'], null, 2));
    const { server, provider } = await openAt(answers, {}, '/api');
    expect((await provider.orders.list()).map(({ id }) => id)).toEqual(['34-1', '34-2']);
    expect(server.received.map(({ url }) => url)).toEqual(['/api/orders/?page_size=100', '/api/orders/?page=2']);
  }
});

const gone = json(404, { detail: 'Invalid page.' });
const page2 = '/orders/?page=2';

test.each([
  [
    // 34-1 is removed after its page was read: 34-3 slips onto it, and page 2 begins with 34-4.
    'shifts between two pages',
    [
      page(['34-1', '34-2'], page2, 4),
      page(['34-4'], null, 3),
      page(['34-2', '34-3'], page2, 3),
      page(['34-4'], null, 3),
    ],
    ['34-2', '34-3', '34-4'],
  ],
  ['loses its last page', [page(['34-1'], page2, 2), gone, page(['34-1'], null, 1)], ['34-1']],
])('a list that %s is read again, so that no order is missing', async (_, answers, ids) => {
  const { provider } = await openAt(oneByOne(...answers));
  expect((await provider.orders.list()).map(({ id }) => id)).toEqual(ids);
});

test('a list whose first page is not found is requested once, and one with a wrong page or count three times', async () => {
  const first = await openAt(gone);
  expect(await errorOf(first.provider.orders.list())).toMatchObject({ kind: 'not_found' });
  expect(first.server.received).toHaveLength(1);
  const openTo = (second: Answer) =>
    openAt((request, response) =>
      (request.url.includes('page=2') ? second : page(['34-1'], page2, 9))(request, response),
    );
  const without = await openTo(gone);
  expect(await errorOf(without.provider.orders.list())).toMatchObject({ kind: 'not_found', words: 'Invalid page.' });
  expect(without.server.received).toHaveLength(6);
  const miscounted = await openTo(page(['34-2'], null, 9));
  expect(await miscounted.provider.orders.list()).toHaveLength(2);
  expect(miscounted.server.received).toHaveLength(6);
});

test('reading an endless list ends after a maximum of bytes', async () => {
  const padding = Buffer.alloc(6_000_000, ' ');
  let pages = 0;
  const { provider } = await openAt((_, response) => {
    pages += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"count":1,"next":"/orders/?page=${pages + 1}","results":[]}`);
    response.end(padding);
  });
  expect((await errorOf(provider.orders.list())).words).toContain('the list is longer than');
  expect(pages).toBeLessThan(15);
});
