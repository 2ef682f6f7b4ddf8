import { expect, test } from 'vitest';
import { table } from '../../../src/provider/table.ts';
import { openAt, server34 } from '../open.ts';
import { job, json, oneByOne, orderItem, raw } from '../server.ts';

// The samples of the document, its schemas and the observations of other clients differ: each form is read, and bounds
// hold for requests only.

const order = table.orders.read.output;
const vpsOrder = table.vpsOrders.read.output;
const record = { id: 1, host: '', type: 'A', value: '192.0.2.1' };

test('a list item with missing fields gets the shape of a complete order, and a date is not changed', () => {
  const bare = { id: '77-1', type: 'backup', status: 'unpaid', cost_month: '5.00', later: 'unknown key' };
  expect(order.parse(bare)).toEqual({
    ...{ id: '77-1', name: '', tariff: '', tariff_price: null, type: 'backup', hostname: null, ipaddress_set: [] },
    ...{ status: 'unpaid', cost_month: 5, expiration_date: null, tags: [], cancel_mark: null, project: null },
  });
  for (const expiration_date of ['', 'Z', '+02:00'].map((zone) => `2024-02-05T21:41:25${zone}`))
    expect(order.parse({ ...orderItem, expiration_date })).toMatchObject({ expiration_date });
});

test('the configuration of a VPS is read in any spelling and beyond the bounds of requests', () => {
  const read = (configuration: object) => vpsOrder.parse({ ...orderItem, configuration }).configuration;
  const odd = { cpu_count: 32, ram_size: 64.0, disk_size: 10, cpu_arch: 'x86-64', min_cpu_freq: '2.60' };
  expect(read(odd)).toEqual({ ...odd, cpu_arch: 'x86_64', min_cpu_freq: 2.6, disk_class: null });
  // A missing part is not a part of another kind.
  expect(read({})).toMatchObject({ cpu_count: null, min_cpu_freq: null });
});

test('the configuration of a dedicated server may have gaps', () => {
  const read = (configuration: object) => table.ds.read.output.parse({ ...orderItem, configuration }).configuration;
  expect(read({ memory: 32, bandwidth: null })).toMatchObject({
    ...{ memory: 32, bandwidth: null, cpu_count: null, disks: '' },
  });
});

test('the panel of a template may be a name, empty or null', () => {
  const template = { id: 1, name: 'Debian 12', os: 'debian', arch: 'x86-64' };
  const parse = (panel: unknown) => table.vpsOrders.templates.output.parse({ ...template, panel }).panel;
  expect([parse('ISPmanager'), parse(''), parse(null), parse(undefined)]).toEqual(['ISPmanager', null, null, null]);
});

test('a field that the schemas do not require may be missing', () => {
  expect(table.projects.editLogo.output.parse({ id: 3 })).toEqual({ logo: null });
  const project = { id: 3, name: 'Shop', logo: null };
  expect(table.projects.read.output.parse(project)).toEqual({ ...project, comment: '' });
  const series = [{ name: 'a', data: [[1, 2]] }];
  expect(table.vps.stats.output.parse({ series })).toMatchObject({ subtitle: '' });
  const created = { id: 1, type: 'A', value: '192.0.2.1' };
  expect(table.dns.createEntry.output.parse(created)).toMatchObject({ host: '', prio: null, ttl: null });
  expect(table.dns.entries.output.parse([record])).toEqual([{ ...record, prio: null, ttl: null }]);
  const domain = { name: 'example.com', entry_set: [record] };
  expect(table.dns.createDomain.output.parse(domain).entry_set).toHaveLength(1);
  const plan = { id: 1, name: 'S', cpu_count: 1, ram: '1 GB', disk: '10 GB', bandwidth: '100 Mbit/s', price: 1 };
  for (const more of [{}, { disk_class: null }])
    expect(table.plans.vps.output.parse({ ...plan, ...more })).toMatchObject({ disk_class: null, ram: '1 GB' });
});

test('a list without next and previous ends', async () => {
  const { provider } = await openAt(json(200, { count: 1, results: [orderItem] }));
  expect(await provider.orders.list()).toHaveLength(1);
});

test('prices of bandwidth are read from decimal text, and the unit may be missing', () => {
  const bandwidth_tariff = { min_value: '100.00', max_value: '1000.00', step: '100.00', price: '1.50' };
  const location = table.vpsOrders.locations.output.parse({ value: 'de', label: 'Germany', bandwidth_tariff });
  expect(location.bandwidth_tariff).toEqual({ min_value: 100, max_value: 1000, step: 100, price: 1.5, unit: '' });
});

test('a statistic with gaps of any form keeps its other points', async () => {
  const points = '[[1,1.5],null,[2,null],[3,NaN],[4,-Infinity]]';
  const body = `{"series":[{"name":"NaN \\" load","color":"#f00","data":${points}}],"subtitle":"cpu"}`;
  const { provider } = await openAt(raw(200, 'application/json', body));
  const stats = await provider.vps.stats({ order_id: '34-1', field: 'cpu', start: '-24h' });
  const data = [1.5, null, null, null].map((value, n) => [n + 1, value]);
  expect(stats.series).toEqual([{ name: 'NaN " load', data }]);
});

const hardware = { cpu_count: 2, ram_size: 4, disk_size: 40 };
const create = (more: object) =>
  table.vpsOrders.create.input.safeParse({ template: 1, location: 'de', ...more }).success;
const configured = (more: object) => create({ configuration: { ...hardware, ...more } });
const named = (more: object) => create({ tariff: 1, ...more });
const edited = (more: object) => table.orders.update.input.safeParse({ order_id: '34-1', ...more }).success;
const { id: _, ...plain } = record;
const entry = (more: object) =>
  table.dns.createEntry.input.safeParse({ ...plain, name: 'example.com', host: '@', ...more }).success;
const stats = (start: string) => table.vps.stats.input.safeParse({ order_id: '34-1', field: 'cpu', start }).success;

test.each<[string, (more: object) => boolean, object[], object[]]>([
  [
    'a configuration',
    configured,
    [{}, { min_cpu_freq: '3.1' }, { disk_class: 2 }],
    [{ disk_size: 10 }, { cpu_count: 32 }, { ram_size: 64 }],
  ],
  ['a new server', named, [{}, { tags: ['a'] }], [{ name: '' }, { tags: [''] }]],
  ['an order', edited, [{ project: null }, { tags: [] }, { name: '' }], [{ tags: [''] }, { project: '' }]],
  [
    'a record',
    entry,
    [{}, { ttl: null }, { ttl: 300 }, { prio: 4_294_967_295 }],
    [{ ttl: 60 }, { prio: -1 }, { value: '' }, { host: 'x'.repeat(256) }, { ttL: 300 }],
  ],
])('the documented bounds of %s are checked in requests', (_, fits, good, bad) => {
  expect(good.map(fits)).toEqual(good.map(() => true));
  expect(bad.map(fits)).toEqual(bad.map(() => false));
});

test('a list of names has no empty one, a filter no unknown type, and a time a unit', () => {
  expect(table.projects.addOrders.input.safeParse({ id: 1, orders: [''] }).success).toBe(false);
  expect(table.dns.setTags.input.safeParse({ name: 'example.com', tags: [''] }).success).toBe(false);
  expect(table.dns.entries.input.safeParse({ name: 'example.com', type: 'null' }).success).toBe(false);
  expect([stats('-24h'), stats('yesterday')]).toEqual([true, false]);
});

test('an unknown power status reads as "unknown"', () => {
  const read = (status: string) => table.vps.status.output.parse({ status }).status;
  expect(['on', 'off', 'unknown', 'suspended', ''].map(read)).toEqual(['on', 'off', 'unknown', 'unknown', 'unknown']);
});

// The document lists the present words of the provider. A new word must not hide an item.
test('values that the document does not list are read unchanged, in every field with a list of values', async () => {
  const suspended = { ...orderItem, status: 'suspended' };
  const tlsa = { ...record, host: '_443._tcp', type: 'TLSA', prio: null, value: '3 1 1 ab', ttl: null };
  const page = { count: 1, next: null, previous: null };
  const answers = [
    { ...page, results: [suspended] },
    { ...suspended, configuration: { ...hardware, cpu_arch: 'riscv', min_cpu_freq: null } },
    { status: 'cancel_requested', message: 'We will see.' },
    { ...job, job_state: 'queued' },
    [tlsa],
    { ...page, results: [{ name: 'example.com', entry_set: [tlsa], tags: [] }] },
    [{ id: 1, name: 'License', description: '', price: '4.90', billing_type: 'yearly' }],
  ];
  const { provider } = await openAt(oneByOne(...answers.map((answer) => json(200, answer))));
  expect((await provider.orders.list())[0]?.status).toBe('suspended');
  const read = await provider.vpsOrders.read(server34);
  expect(read).toMatchObject({ status: 'suspended', configuration: { cpu_arch: 'riscv' } });
  // An accepted write does not count as lost because of a new word.
  expect((await provider.orders.cancel(server34)).status).toBe('cancel_requested');
  expect((await provider.vps.logDetails({ ...server34, log_id: 812 })).job_state).toBe('queued');
  expect((await provider.dns.entries({ name: 'example.com' }))[0]?.type).toBe('TLSA');
  expect((await provider.dns.domains())[0]?.entry_set[0]?.type).toBe('TLSA');
  expect((await provider.vpsOrders.services())[0]?.billing_type).toBe('yearly');
});
