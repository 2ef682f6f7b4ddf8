import { expect, test } from 'vitest';
import type { Provider } from '../../src/provider/client.ts';
import type { Endpoint } from '../../src/provider/endpoint.ts';
import type { ItemList } from '../../src/provider/items.ts';
import { table } from '../../src/provider/table.ts';
import { errorOf, openProvider } from './open.ts';
import { json, oneByOne, orderItem, serve } from './server.ts';

/** One odd item hides only itself in every list; and pages are followed with any host in their links. */

const server34 = { order_id: '34-1' };
const plan = { id: 1, name: 'Cloud', price: 5, cpu_count: 1, ram: '1 GB', disk: '10 GB', bandwidth: '' };
const image = { id: 1, name: 'Debian', os: 'linux' };
const disk = {
  id: 1,
  name: 'NVMe',
  limit_total_mbytes_sec: 1,
  limit_read_iops_sec: 1,
  limit_write_iops_sec: 1,
  price_per_gb: 1,
};

const sshKey = { id: 1, key: 'ssh-ed25519 AAAA ada@laptop', title: 'Ada', date: '2026-01-01T00:00:00Z' };

interface ListCase {
  readonly name: string;
  readonly read: (provider: Provider) => Promise<ItemList<unknown>>;
  readonly item: object;
  readonly isPlain?: boolean;
}

const lists: readonly ListCase[] = [
  { name: 'orders', read: (p) => p.orders.list(), item: orderItem },
  { name: 'vps orders', read: (p) => p.vpsOrders.list(), item: orderItem },
  { name: 'ds orders', read: (p) => p.ds.list(), item: orderItem },
  { name: 'domains', read: (p) => p.dns.domains(), item: { name: 'example.com', entry_set: [], tags: [] } },
  { name: 'projects', read: (p) => p.projects.list(), item: { id: 1, name: 'Shop', comment: '', logo: '' } },
  { name: 'networks', read: (p) => p.privateNetworks.list(), item: { id: 1 } },
  {
    name: 'network locations',
    read: (p) => p.privateNetworks.locations(),
    item: { id: 1, location: { value: 'de', label: 'Germany', icon: '' } },
  },
  { name: 'reinstall templates', read: (p) => p.reinstall.templates(server34), item: image },
  { name: 'reinstall apps', read: (p) => p.reinstall.apps(server34), item: image },
  {
    name: 'reinstall snapshots',
    read: (p) => p.reinstall.snapshots(server34),
    item: { id: 1, name: 'golden', size_gb: 2, created_at: '2026-01-01' },
  },
  { name: 'templates', read: (p) => p.vpsOrders.templates(), item: image, isPlain: true },
  { name: 'apps', read: (p) => p.vpsOrders.apps(), item: image, isPlain: true },
  {
    name: 'snapshots',
    read: (p) => p.vpsOrders.snapshots(),
    item: { id: 1, name: 'golden', size_gb: 2, created_at: '2026-01-01' },
    isPlain: true,
  },
  {
    name: 'locations',
    read: (p) => p.vpsOrders.locations(),
    item: { value: 'de', label: 'Germany', available_frequencies: {} },
    isPlain: true,
  },
  { name: 'disks', read: (p) => p.vpsOrders.disks(), item: disk, isPlain: true },
  {
    name: 'services',
    read: (p) => p.vpsOrders.services(),
    item: { id: 1, name: 'Backup', price: 1, billing_type: 'single' },
    isPlain: true,
  },
  { name: 'backup plans', read: (p) => p.plans.backups(), item: { space: 10, price: 1, units: 'GB' }, isPlain: true },
  { name: 'dedicated plans', read: (p) => p.plans.dedicated(), item: { ...plan, locations: [] }, isPlain: true },
  { name: 'hosting plans', read: (p) => p.plans.hosting(), item: { id: 1, name: 'S', price: 1 }, isPlain: true },
  { name: 'ssh keys', read: (p) => p.sshKeys.list(), item: sshKey, isPlain: true },
  { name: 'ssh keys of a server', read: (p) => p.sshKeys.ofServer(server34), item: sshKey, isPlain: true },
  {
    name: 'addresses',
    read: (p) => p.network.addresses({}),
    item: { id: 1, ip: '192.0.2.10', location: { value: 'de', label: 'Germany', icon: '' }, rdns: '', order: null },
    isPlain: true,
  },
  { name: 'buckets', read: (p) => p.s3.list(), item: { ...orderItem, id: '664-7', space_used: '18' } },
  { name: 'vps plans', read: (p) => p.plans.vps(), item: plan, isPlain: true },
];

test.each(lists)(
  'in the list $name an item that cannot be read is named and left out, and the others are read',
  async ({ read, item, isPlain }) => {
    for (const odd of [
      null,
      7,
      'x',
      [],
      {},
      { id: { a: 1 } },
      { id: '34-99', name: 'odd.example', tags: 7, price: {} },
    ]) {
      const items = [item, odd, item];
      // A page of three that are called the same holds one of them.
      const body = isPlain ? items : { count: 3, next: null, results: items };
      const server = await serve(json(200, body));
      const { provider } = openProvider(server.url);
      const found = await read(provider);
      expect(found.length).toBeGreaterThan(0);
      const isOdd = found.unreadable.length === 1;
      // An odd item is read if its shape allows it, and never fails the list.
      expect(isOdd || found.length > 1, JSON.stringify(odd)).toBe(true);
      if (isOdd) expect(found.unreadable[0]?.why).not.toBe('');
    }
  },
);

const listRows = Object.entries<Readonly<Record<string, Endpoint>>>(table).flatMap(([area, rows]) =>
  Object.entries(rows).flatMap(([name, row]) =>
    row.paginated === true || row.listed === true ? [{ area, name, row }] : [],
  ),
);

test.each(listRows)('in the list $area.$name items of any kind do not fail the list', async ({ area, name, row }) => {
  const items = [null, 7, 'x', [], { id: { a: 1 } }, { id: 'odd', name: [] }];
  const body = row.listed === true ? items : { count: items.length, next: null, results: items };
  const server = await serve(json(200, body));
  const { provider } = openProvider(server.url);
  // Every method by its name; its route says which input it takes.
  const methods = provider as unknown as Readonly<
    Record<string, Readonly<Record<string, (input: object) => Promise<ItemList<unknown>>>>>
  >;
  const found = await methods[area]?.[name]?.(row.route.includes('{order_id}') ? server34 : {});
  expect(found?.unreadable.length).toBeGreaterThan(3);
  expect(found?.unreadable.every(({ id, why }) => id !== '' && why !== '')).toBe(true);
});

const rest = { ...orderItem, id: '34-2' };
const orderVariants: readonly [string, object, object][] = [
  ['no cost', { cost_month: undefined }, { cost_month: null }],
  ['cost null', { cost_month: null }, { cost_month: null }],
  ['cost empty', { cost_month: '' }, { cost_month: null }],
  ['cost as text', { cost_month: '5.50' }, { cost_month: 5.5 }],
  ['no status', { status: undefined }, { status: 'unknown' }],
  ['status null', { status: null }, { status: 'unknown' }],
  ['a number as id', { id: 77 }, { id: '77' }],
  ['a number as name', { name: 5 }, { name: '5' }],
  ['tags null', { tags: null }, { tags: [] }],
  ['tags empty text', { tags: '' }, { tags: [] }],
  ['tags as objects', { tags: [{ id: 1, name: 'web' }, null] }, { tags: ['web'] }],
  ['addresses as objects', { ipaddress_set: [{ ip: '192.0.2.1' }] }, { ipaddress_set: ['192.0.2.1'] }],
  ['project empty text', { project: '' }, { project: null }],
  ['a project whose id is text', { project: { id: '3', name: 'Shop' } }, { project: { id: 3, name: 'Shop' } }],
  ['the mark as text', { cancel_mark: 'true' }, { cancel_mark: true }],
  ['the mark null', { cancel_mark: null }, { cancel_mark: null }],
  ['tariff price empty', { tariff_price: '' }, { tariff_price: null }],
];

test.each(orderVariants)('an order with %s is read', async (_, odd, read) => {
  const server = await serve(json(200, { count: 2, next: null, results: [{ ...orderItem, ...odd }, rest] }));
  const { provider } = openProvider(server.url);
  const found = await provider.orders.list();
  expect(found.unreadable).toEqual([]);
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject(read);
});

test('the configuration of a server is read with numbers as text, missing values, or an unknown form', async () => {
  const configurationOf = async (configuration: unknown) => {
    const server = await serve(json(200, { count: 1, next: null, results: [{ ...orderItem, configuration }] }));
    return (await openProvider(server.url).provider.vpsOrders.list())[0]?.configuration;
  };
  expect(await configurationOf({ cpu_count: '2', ram_size: '4', disk_size: null })).toMatchObject({
    cpu_count: 2,
    ram_size: 4,
    disk_size: null,
  });
  for (const odd of [undefined, null, '', 'x', [], { cpu_count: 'many' }])
    expect(await configurationOf(odd)).toBe(null);
});

test('an item that cannot be read is reported by id and field, without its values', async () => {
  const odd = { ...orderItem, id: '34-3', cost_month: 'hunter2', name: ['hunter2'] };
  const server = await serve(json(200, { count: 2, next: null, results: [orderItem, odd] }));
  const { unreadable } = await openProvider(server.url).provider.orders.list();
  expect(unreadable.map(({ id }) => id)).toEqual(['34-3']);
  expect(unreadable[0]?.why).toMatch(/name: .*cost_month: /);
  expect(JSON.stringify(unreadable)).not.toContain('hunter2');
});

test('the next page is read from the configured server, with any scheme and host in its link', async () => {
  for (const origin of ['http://internal.example', 'https://127.0.0.1:1', 'http://evil.example']) {
    const server = await serve(
      oneByOne(
        json(200, { count: 2, next: `${origin}/api/orders/?page=2`, results: [orderItem] }),
        json(200, { count: 2, next: null, results: [rest] }),
      ),
    );
    const { provider } = openProvider(`${server.url}/api`);
    expect((await provider.orders.list()).map(({ id }) => id)).toEqual([orderItem.id, '34-2']);
    expect(server.received.map(({ url }) => url)).toEqual(['/api/orders/?page_size=100', '/api/orders/?page=2']);
  }
});

test('a list that shifts between two pages is read again, so that no order is missing', async () => {
  const page = (ids: readonly string[], next: string | null, count: number) =>
    json(200, { count, next, results: ids.map((id) => ({ ...orderItem, id })) });
  const server = await serve(
    oneByOne(
      // 34-1 is removed after this page was read: 34-3 slips onto it, and page 2 begins with 34-4.
      page(['34-1', '34-2'], '/orders/?page=2', 4),
      page(['34-4'], null, 3),
      page(['34-2', '34-3'], '/orders/?page=2', 3),
      page(['34-4'], null, 3),
    ),
  );
  const found = await openProvider(server.url).provider.orders.list();
  expect(found.map(({ id }) => id)).toEqual(['34-2', '34-3', '34-4']);
});

const gone = json(404, { detail: 'Invalid page.' });

test('a list whose last page is gone by the time of its request is read again', async () => {
  const server = await serve(
    oneByOne(
      json(200, { count: 2, next: '/orders/?page=2', results: [orderItem] }),
      gone,
      json(200, { count: 1, next: null, results: [orderItem] }),
    ),
  );
  const found = await openProvider(server.url).provider.orders.list();
  expect(found.map(({ id }) => id)).toEqual([orderItem.id]);
});

test('a list whose next page is never there is read three times, and then is an error', async () => {
  const server = await serve((request, response) => {
    const first = json(200, { count: 2, next: '/orders/?page=2', results: [orderItem] });
    (request.url.includes('page=2') ? gone : first)(request, response);
  });
  const error = await errorOf(openProvider(server.url).provider.orders.list());
  expect(error).toMatchObject({ kind: 'not_found', words: 'Invalid page.' });
  expect(server.received).toHaveLength(6);
});

test('a list whose first page is not found is requested once', async () => {
  const server = await serve(gone);
  expect(await errorOf(openProvider(server.url).provider.orders.list())).toMatchObject({ kind: 'not_found' });
  expect(server.received).toHaveLength(1);
});

test('a list whose count is always wrong is read three times', async () => {
  const server = await serve(({ url }, response) => {
    const isFirst = !url.includes('page=2');
    const body = { count: 9, next: isFirst ? '/orders/?page=2' : null, results: [isFirst ? orderItem : rest] };
    json(200, body)({ method: '', url, headers: {}, body: '' }, response);
  });
  expect(await openProvider(server.url).provider.orders.list()).toHaveLength(2);
  expect(server.received).toHaveLength(6);
});

test('reading an endless list ends after a maximum of bytes', async () => {
  const long = JSON.stringify({ ...orderItem, name: 'x'.repeat(6_000_000) });
  let pages = 0;
  const server = await serve((_, response) => {
    pages += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"count":1,"next":"/orders/?page=${pages + 1}","results":[${long}]}`);
  });
  const error = await errorOf(openProvider(server.url).provider.orders.list());
  expect(error.words).toContain('the list is longer than');
  expect(pages).toBeLessThan(15);
});

test('the next page of a list does not wait behind all reads of one thing', async () => {
  const server = await serve((request, response) => {
    const page = { count: 2, next: request.url.includes('page=2') ? null : '/orders/?page=2', results: [] };
    json(200, request.url.startsWith('/orders/') ? page : { status: 'on' })(request, response);
  });
  const { provider } = openProvider(server.url, { maxUnderWay: 1 });
  const power = () => provider.vps.status({ order_id: '34-1' });
  await Promise.all([provider.orders.list(), power(), power(), power()]);
  expect(server.received.map(({ url }) => url.replace(/\?.*(page=\d)$/, ' $1')).slice(0, 4)).toEqual([
    '/orders/?page_size=100',
    '/vps/34-1/status/',
    '/orders/ page=2',
    '/vps/34-1/status/',
  ]);
});
