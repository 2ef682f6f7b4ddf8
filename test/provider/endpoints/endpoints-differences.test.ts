import { expect, test } from 'vitest';
import { table } from '../../../src/provider/table.ts';
import { openProvider } from '../open.ts';
import { json, orderItem, serve } from '../server.ts';

// The samples of the document, its schemas and the observations of other clients differ: each form is read, and bounds
// hold for requests only.

test('the bounds of a configuration are checked in requests, not in responses', () => {
  const configuration = { cpu_count: 32, ram_size: 64, disk_size: 10, cpu_arch: 'x86_64', min_cpu_freq: 3 };
  const read = table.vpsOrders.read.output.parse({ ...orderItem, configuration });
  expect(read.configuration).toMatchObject({ cpu_count: 32, disk_size: 10, min_cpu_freq: 3, disk_class: null });
  const wish = { template: 1, location: 'de' };
  const fits = (more: object) =>
    table.vpsOrders.create.input.safeParse({
      ...wish,
      configuration: { cpu_count: 2, ram_size: 4, disk_size: 40, ...more },
    }).success;
  expect([fits({}), fits({ min_cpu_freq: '3.1' }), fits({ disk_class: 2 })]).toEqual([true, true, true]);
  expect([fits({ disk_size: 10 }), fits({ cpu_count: 32 }), fits({ ram_size: 64 })]).toEqual([false, false, false]);
  // A missing part is not a part of another kind.
  expect(table.vpsOrders.read.output.parse({ ...orderItem, configuration: {} }).configuration).toMatchObject({
    cpu_count: null,
    min_cpu_freq: null,
  });
});

test('an empty name or an empty tag is not sent, and null removes a project', () => {
  const create = { tariff: 1, template: 1, location: 'de' };
  const fits = (more: object) => table.vpsOrders.create.input.safeParse({ ...create, ...more }).success;
  expect([fits({}), fits({ tags: ['a'] }), fits({ name: '' }), fits({ tags: [''] })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const edits = (more: object) => table.orders.update.input.safeParse({ order_id: '34-1', ...more }).success;
  expect([edits({ project: null }), edits({ tags: [] }), edits({ tags: [''] }), edits({ project: '' })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(table.projects.addOrders.input.safeParse({ id: 1, orders: [''] }).success).toBe(false);
  expect(table.dns.setTags.input.safeParse({ name: 'example.com', tags: [''] }).success).toBe(false);
  expect(table.dns.entries.input.safeParse({ name: 'example.com', type: 'null' }).success).toBe(false);
});

test('a field that the schemas do not require may be missing', () => {
  expect(table.projects.editLogo.output.parse({ id: 3 })).toEqual({ logo: null });
  expect(table.projects.read.output.parse({ id: 3, name: 'Shop', logo: null })).toEqual({
    id: 3,
    name: 'Shop',
    comment: '',
    logo: null,
  });
  expect(table.vps.stats.output.parse({ series: [{ name: 'a', data: [[1, 2]] }] }).series).toMatchObject([
    { color: '' },
  ]);
  expect(table.dns.createEntry.output.parse({ id: 1, type: 'A', value: '192.0.2.1' })).toMatchObject({
    host: '',
    prio: null,
    ttl: null,
  });
  const entry_set = [{ id: 1, host: '', type: 'A', value: '192.0.2.1' }];
  expect(table.dns.createDomain.output.parse({ name: 'example.com', entry_set }).entry_set).toHaveLength(1);
  expect(table.ds.read.output.parse({ ...orderItem, configuration: { memory: 32, bandwidth: null } })).toMatchObject({
    configuration: { memory: 32, bandwidth: null, cpu_count: null, disks: '' },
  });
  const plan = { id: 1, name: 'S', cpu_count: 1, ram: '1 GB', disk: '10 GB', bandwidth: '100 Mbit/s', price: 1 };
  for (const more of [{}, { disk_class: null }])
    expect(table.plans.vps.output.parse({ ...plan, ...more })).toMatchObject({ disk_class: null, ram: '1 GB' });
});

test.each(['on', 'off', 'unknown', 'suspended', ''])(
  'the power status %s is read, and an unknown status reads as "unknown"',
  (status) => {
    const known = ['on', 'off'].includes(status) ? status : 'unknown';
    expect(table.vps.status.output.parse({ status })).toEqual({ status: known });
  },
);

test('the traffic label need not be an order id, and may be a number', () => {
  const limits = { limit: 14_293_651_161_088.0, used: 7.5e12, used_rate: 0.52, range_start: 'a', range_end: 'b' };
  expect(table.ds.trafficUsed.output.parse({ ...limits, order: '1000101 DS-E3 files-1' })).toMatchObject({
    order: '1000101 DS-E3 files-1',
    used: 7.5e12,
  });
});

test('a list without next and previous ends', async () => {
  const server = await serve(json(200, { count: 1, results: [orderItem] }));
  const { provider } = openProvider(server.url);
  expect(await provider.orders.list()).toHaveLength(1);
});

test('prices of bandwidth are read from decimal text, and the unit may be missing', () => {
  const bandwidth_tariff = { min_value: '100.00', max_value: '1000.00', step: '100.00', price: '1.50' };
  const location = table.vpsOrders.locations.output.parse({ value: 'de', label: 'Germany', bandwidth_tariff });
  expect(location.bandwidth_tariff).toEqual({ min_value: 100, max_value: 1000, step: 100, price: 1.5, unit: '' });
});
