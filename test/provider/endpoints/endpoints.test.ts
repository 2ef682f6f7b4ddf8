import { expect, test } from 'vitest';
import { recordHost } from '../../../src/provider/endpoints/dns.ts';
import { table } from '../../../src/provider/table.ts';
import { openProvider } from '../open.ts';
import { json, oneByOne, orderItem, raw, serve } from '../server.ts';

test.each([
  ['', 'example.com', '@'],
  ['@', 'example.com', '@'],
  ['example.com', 'example.com', '@'],
  ['Example.COM.', 'example.com', '@'],
  ['*', 'example.com', '*'],
  ['*.example.com', 'example.com', '*'],
  ['www', 'example.com', 'www'],
  ['www.example.com.', 'example.com', 'www'],
  ['a.b.example.com', 'example.com.', 'a.b'],
  ['notexample.com', 'example.com', 'notexample.com'],
  ['_dmarc', 'example.com', '_dmarc'],
])('the host "%s" of a record in %s is read as %s', (host, domain, expected) => {
  expect(recordHost(host, domain)).toBe(expected);
});

test('a list item with missing fields gets the shape of a complete order', () => {
  const bare = { id: '77-1', type: 'backup', status: 'unpaid', cost_month: '5.00', later: 'unknown key' };
  expect(table.orders.read.output.parse(bare)).toEqual({
    id: '77-1',
    name: '',
    tariff: '',
    tariff_price: null,
    type: 'backup',
    hostname: null,
    ipaddress_set: [],
    status: 'unpaid',
    cost_month: 5,
    expiration_date: null,
    tags: [],
    cancel_mark: null,
    project: null,
  });
});

test.each(['2024-02-05T21:41:25', '2024-02-05T21:41:25Z', '2024-02-05T21:41:25+02:00'])(
  'the date %s is not changed',
  (date) => {
    expect(table.orders.read.output.parse({ ...orderItem, expiration_date: date }).expiration_date).toBe(date);
  },
);

test('the frequency of a VPS order may be text, and its architecture may be spelled x86-64', () => {
  const configuration = { cpu_count: 2, ram_size: 4.0, disk_size: 40, cpu_arch: 'x86-64', min_cpu_freq: '2.60' };
  expect(table.vpsOrders.read.output.parse({ ...orderItem, configuration }).configuration).toEqual({
    cpu_count: 2,
    ram_size: 4,
    disk_size: 40,
    cpu_arch: 'x86_64',
    min_cpu_freq: 2.6,
    disk_class: null,
  });
});

test('the bandwidth of a dedicated server may be unknown, and its traffic may be decimal', () => {
  const configuration = { cpu_count: 1, cpu: 'E3', motherboard: 'X', chassis: 'Y', bandwidth: null, memory: 32 };
  expect(table.ds.read.output.parse({ ...orderItem, configuration }).configuration).toMatchObject({
    bandwidth: null,
    disks: '',
  });
  const limits = {
    order: 1234567,
    limit: 1e13,
    range_start: '2024-02-01',
    range_end: '2024-02-29',
    used: 2.5e12,
    used_rate: 0.25,
  };
  expect(table.ds.trafficUsed.output.parse(limits)).toMatchObject({ order: '1234567', used: 2.5e12 });
});

test('a record without prio and ttl has null for both', () => {
  expect(table.dns.entries.output.parse([{ id: 1, host: '', type: 'A', value: '192.0.2.1' }])).toEqual([
    { id: 1, host: '', type: 'A', value: '192.0.2.1', prio: null, ttl: null },
  ]);
});

test('the panel of a template may be a name, empty or null', () => {
  const template = { id: 1, name: 'Debian 12', os: 'debian', arch: 'x86-64' };
  const parse = (panel: unknown) => table.vpsOrders.templates.output.parse({ ...template, panel }).panel;
  expect([parse('ISPmanager'), parse(''), parse(null), parse(undefined)]).toEqual(['ISPmanager', null, null, null]);
});

test('a statistic with gaps of any form keeps its other points', async () => {
  const body =
    '{"series":[{"name":"NaN \\" load","color":"#f00","data":[[1,1.5],null,[2,null],[3,NaN],[4,-Infinity]]}],"subtitle":"cpu"}';
  const server = await serve(oneByOne(raw(200, 'application/json', body), json(200, { series: [], subtitle: '' })));
  const { provider } = openProvider(server.url);
  const stats = await provider.vps.stats({ order_id: '34-1', field: 'cpu', start: '-24h' });
  expect(stats.series).toEqual([
    {
      name: 'NaN " load',
      color: '#f00',
      type: '',
      data: [
        [1, 1.5],
        [2, null],
        [3, null],
        [4, null],
      ],
    },
  ]);
});

test('the bounds of the documented inputs are checked', () => {
  const { createEntry } = table.dns;
  const record = { name: 'example.com', host: '@', type: 'A', value: '192.0.2.1' };
  const fits = (more: object) => createEntry.input.safeParse({ ...record, ...more }).success;
  expect([fits({}), fits({ ttl: null }), fits({ ttl: 300 }), fits({ prio: 4_294_967_295 })]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([
    fits({ ttl: 60 }),
    fits({ prio: -1 }),
    fits({ value: '' }),
    fits({ host: 'x'.repeat(256) }),
    fits({ ttL: 300 }),
  ]).toEqual([false, false, false, false, false]);
  expect(table.orders.update.input.safeParse({ order_id: '34-1', name: '' }).success).toBe(true);
  expect(table.vps.stats.input.safeParse({ order_id: '34-1', field: 'cpu', start: 'yesterday' }).success).toBe(false);
});
