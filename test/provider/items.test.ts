import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/provider/endpoint.ts';
import type { ItemList } from '../../src/provider/items.ts';
import { table } from '../../src/provider/table.ts';
import { openAt, server34 } from './open.ts';
import { json, orderItem } from './server.ts';

// One odd item hides only itself in every list.

const plan = { id: 1, name: 'Cloud', price: 5, cpu_count: 1, ram: '1 GB', disk: '10 GB', bandwidth: '' };
const image = { id: 1, name: 'Debian', os: 'linux' };
const limits = { limit_total_mbytes_sec: 1, limit_read_iops_sec: 1, limit_write_iops_sec: 1 };
const place = { value: 'de', label: 'Germany', icon: '' };
const snapshot = { id: 1, name: 'golden', size_gb: 2, created_at: '2026-01-01' };
const sshKey = { id: 1, key: 'ssh-ed25519 AAAA ada@laptop', title: 'Ada', date: '2026-01-01T00:00:00Z' };

/** An item of each list. */
const samples: Readonly<Record<string, object>> = {
  'orders.list': orderItem,
  'vpsOrders.list': orderItem,
  'ds.list': orderItem,
  'dns.domains': { name: 'example.com', entry_set: [], tags: [] },
  'projects.list': { id: 1, name: 'Shop', comment: '', logo: '' },
  'privateNetworks.list': { id: 1 },
  'privateNetworks.locations': { id: 1, location: place },
  'reinstall.templates': image,
  'reinstall.apps': image,
  'reinstall.snapshots': snapshot,
  'vpsOrders.templates': image,
  'vpsOrders.apps': image,
  'vpsOrders.snapshots': snapshot,
  'vpsOrders.locations': { value: 'de', label: 'Germany', available_frequencies: {} },
  'vpsOrders.disks': { id: 1, name: 'NVMe', ...limits, price_per_gb: 1 },
  'vpsOrders.services': { id: 1, name: 'Backup', price: 1, billing_type: 'single' },
  'plans.backups': { space: 10, price: 1, units: 'GB' },
  'plans.dedicated': { ...plan, locations: [] },
  'plans.hosting': { id: 1, name: 'S', price: 1 },
  'plans.vps': plan,
  'sshKeys.list': sshKey,
  'sshKeys.ofServer': sshKey,
  'network.addresses': { id: 1, ip: '192.0.2.10', location: place, rdns: '', order: null },
  's3.list': { ...orderItem, id: '664-7', space_used: '18' },
};

const lists = Object.entries<Readonly<Record<string, Endpoint>>>(table).flatMap(([area, rows]) =>
  Object.entries(rows).flatMap(([name, row]) =>
    row.paginated === true || row.listed === true ? [{ list: `${area}.${name}`, area, name, row }] : [],
  ),
);

test.each(lists)('an unreadable item of $list is named and left out of the list', async ({ list, area, name, row }) => {
  const odd = [null, 7, 'x', [], { id: { a: 1 } }, { id: 'odd', name: [], tags: 7, price: {} }];
  const items = [samples[list], ...odd];
  const page = { count: items.length, next: null, results: items };
  const { provider } = await openAt(json(200, row.listed === true ? items : page));
  // Every method by its name; its route says which input it takes.
  const methods = provider as unknown as Readonly<
    Record<string, Readonly<Record<string, (input: object) => Promise<ItemList<unknown>>>>>
  >;
  const found = await methods[area]?.[name]?.(row.route.includes('{order_id}') ? server34 : {});
  // An odd item is read if its shape allows it.
  expect(found?.length).toBeGreaterThan(0);
  expect(found?.unreadable.length).toBeGreaterThan(3);
  expect((found?.length ?? 0) + (found?.unreadable.length ?? 0)).toBe(items.length);
  expect(found?.unreadable.every(({ id, why }) => id !== '' && why !== '')).toBe(true);
});

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
  const results = [
    { ...orderItem, ...odd },
    { ...orderItem, id: '34-2' },
  ];
  const { provider } = await openAt(json(200, { count: 2, next: null, results }));
  const found = await provider.orders.list();
  expect(found.unreadable).toEqual([]);
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject(read);
});

test('the configuration of a server is read with numbers as text, missing values, or an unknown form', async () => {
  const configurationOf = async (configuration: unknown) => {
    const { provider } = await openAt(json(200, { count: 1, next: null, results: [{ ...orderItem, configuration }] }));
    return (await provider.vpsOrders.list())[0]?.configuration;
  };
  const found = await configurationOf({ cpu_count: '2', ram_size: '4', disk_size: null });
  expect(found).toMatchObject({ cpu_count: 2, ram_size: 4, disk_size: null });
  for (const odd of [undefined, null, '', 'x', [], { cpu_count: 'many' }])
    expect(await configurationOf(odd)).toBe(null);
});

test('an item that cannot be read is reported by id and field, without its values', async () => {
  const odd = { ...orderItem, id: '34-3', cost_month: 'hunter2', name: ['hunter2'] };
  const { provider } = await openAt(json(200, { count: 2, next: null, results: [orderItem, odd] }));
  const { unreadable } = await provider.orders.list();
  expect(unreadable.map(({ id }) => id)).toEqual(['34-3']);
  expect(unreadable[0]?.why).toMatch(/name: .*cost_month: /);
  expect(JSON.stringify(unreadable)).not.toContain('hunter2');
});
