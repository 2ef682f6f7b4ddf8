import { expect, expectTypeOf, test } from 'vitest';
import { ProviderError } from '../../src/core/view/errors.ts';
import { createAbsent } from '../../src/provider/absent.ts';
import { type Provider, type Reader, readerOf } from '../../src/provider/client.ts';
import { effectOf } from '../../src/provider/endpoint.ts';
import type { DnsEntry } from '../../src/provider/endpoints/dns.ts';
import type { ProviderOrder } from '../../src/provider/endpoints/orders.ts';
import type { Job } from '../../src/provider/endpoints/vps.ts';
import type { ItemList } from '../../src/provider/items.ts';
import { table } from '../../src/provider/table.ts';
import { errorOf, openAt, server34 } from './open.ts';
import { job, json, oneByOne } from './server.ts';

const empty = { count: 0, next: null, previous: null, results: [] };

test('the keys of the path, the query and the body are sent where the route has them', async () => {
  const record = { id: 9, host: 'www', type: 'A', value: '192.0.2.1' };
  const answers = oneByOne(json(200, []), json(200, record), json(200, empty), json(201, { id: 1 }));
  const { server, provider } = await openAt(answers, {}, '/api');
  const body = { host: 'www', type: 'A', value: '192.0.2.1', prio: null, ttl: 300 } as const;
  await provider.dns.entries({ name: 'bücher.example', q: 'a b&c', type: 'MX' });
  await provider.dns.updateEntry({ name: 'example.com', id: 9, ...body });
  await provider.orders.list({ cancel_mark: true, ordering: 'expired' });
  await provider.privateNetworks.create();
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/dns/domain/b%C3%BCcher.example/entry_set/?q=a+b%26c&type=MX',
    'PUT /api/dns/domain/example.com/entry_set/9/',
    'GET /api/orders/?cancel_mark=true&ordering=expired&page_size=100',
    'POST /api/private-network/',
  ]);
  expect(JSON.parse(server.received[1]?.body ?? '')).toEqual(body);
  expect(server.received[1]?.headers['content-type']).toBe('application/json');
  expect(server.received[3]?.body).toBe('');
});

test('a list that the provider does not have is reported as absent, and requested again after five minutes', async () => {
  const missing = json(404, { detail: 'Not Found' });
  const { server, provider } = await openAt(oneByOne(missing, json(200, empty), missing, json(404, {})));
  // At a wrong address every list is not found.
  expect(await errorOf(provider.network.addresses())).toMatchObject({ kind: 'not_found' });
  await provider.orders.list();
  expect(await errorOf(provider.network.addresses())).toMatchObject({ kind: 'absent', words: 'Not Found' });
  for (let n = 0; n < 3; n++) expect(await errorOf(provider.network.addresses())).toMatchObject({ kind: 'absent' });
  expect(server.received).toHaveLength(3);
  // A list that was read once is not absent, and neither is a single server.
  expect(await errorOf(provider.orders.list())).toMatchObject({ kind: 'not_found' });
});

test('a list is absent for five minutes, and there again when the provider has it', async () => {
  let now = 0;
  const { around } = createAbsent(() => now);
  const [orders, addresses] = ['GET /orders/', 'GET /network/ip-address/'] as const;
  const missing = () => Promise.reject(new ProviderError('not_found', 'x', { status: 404 }));
  await around(orders, async () => []);
  await expect(around(addresses, missing)).rejects.toMatchObject({ kind: 'absent' });
  now = 299_000;
  await expect(around(addresses, async () => [])).rejects.toMatchObject({ kind: 'absent' });
  now = 300_000;
  expect(await around(addresses, async () => ['192.0.2.1'])).toEqual(['192.0.2.1']);
});

test.each([
  ['an order id that is none', (p: Provider) => p.vps.restart({ order_id: '../34-1' })],
  ['a domain name that leaves its segment', (p: Provider) => p.dns.deleteDomain({ name: '..' })],
  ['a value beyond its bound', (p: Provider) => p.projects.create({ name: 'x'.repeat(41) })],
  [
    'two kinds of hardware',
    (p: Provider) => p.vpsOrders.create({ ...hardware, tariff: 1, template: 1, location: 'de' }),
  ],
  ['no software', (p: Provider) => p.vpsOrders.create({ tariff: 1, location: 'de' })],
  ['two images', (p: Provider) => p.reinstall.run({ ...server34, template: 1, app: 2 })],
])('%s is an error of the bot and is not sent', async (_, call) => {
  const { server, provider } = await openAt(json(200, {}));
  await expect(call(provider)).rejects.toThrow(TypeError);
  await expect(call(provider)).rejects.toThrow(/^(POST|DELETE) .*: the input does not fit: /);
  expect(server.received).toEqual([]);
});
const hardware = { configuration: { cpu_count: 2, ram_size: 4, disk_size: 40 } };

test('a reader has only the methods that read, at run time too', async () => {
  const reader = readerOf((await openAt(json(200, { status: 'off' }))).provider);
  expect(await reader.vps.status(server34)).toEqual({ status: 'off' });
  const names = Object.entries(reader).flatMap(([area, methods]) =>
    Object.keys(methods).map((name) => `${area}.${name}`),
  );
  const reads = Object.entries(table).flatMap(([area, rows]) =>
    Object.entries(rows).flatMap(([name, row]) =>
      effectOf(row.route) === 'read' && !('reveals' in row) ? [`${area}.${name}`] : [],
    ),
  );
  expect(names).toEqual(reads);
  expect(names).toHaveLength(40);
  expect(names).not.toContain('s3.secretKey');
  expect(reader.domainOrders).toEqual({});
});

test('the types of a reader have no methods that write', () => {
  expectTypeOf<keyof Reader['vps']>().toEqualTypeOf<'status' | 'logDetails' | 'stats'>();
  expectTypeOf<keyof Reader['s3']>().toEqualTypeOf<'list' | 'read'>();
  expectTypeOf<keyof Reader['domainOrders']>().toBeNever();
  expectTypeOf<Provider>().toExtend<Reader>();
  expectTypeOf<Reader>().not.toExtend<Provider>();
  expectTypeOf<Awaited<ReturnType<Provider['dns']['entries']>>>().toEqualTypeOf<DnsEntry[]>();
  expectTypeOf<Awaited<ReturnType<Provider['orders']['list']>>>().toEqualTypeOf<ItemList<ProviderOrder>>();
  expectTypeOf<Awaited<ReturnType<Provider['vps']['restart']>>>().toEqualTypeOf<Job>();
  expectTypeOf<Awaited<ReturnType<Provider['dns']['zoneFile']>>>().toEqualTypeOf<string>();
  expectTypeOf<Awaited<ReturnType<Provider['orders']['keep']>>>().toEqualTypeOf<void>();
  expectTypeOf<DnsEntry['ttl']>().toEqualTypeOf<number | null>();
  expectTypeOf<ProviderOrder['name']>().toEqualTypeOf<string>();
  expectTypeOf<ProviderOrder['cancel_mark']>().toEqualTypeOf<boolean | null>();

  // tsc compiles this, and no test calls it.
  const plans = [
    // @ts-expect-error a plan cannot restart
    (reader: Reader) => reader.vps.restart({ order_id: '34-12345' }),
    // @ts-expect-error nor change a record
    (reader: Reader) => reader.dns.deleteEntry({ name: 'example.com', id: 1 }),
    (reader: Reader) => reader.orders.list(),
    // @ts-expect-error what a route needs must be given
    (reader: Reader) => reader.orders.read(),
    (provider: Provider) => {
      const address = { host: '@', type: 'A', value: '192.0.2.1' } as const;
      // @ts-expect-error a PUT says all of its fields
      return provider.dns.updateEntry({ name: 'example.com', id: 1, ...address });
    },
  ];
  expect(plans).toHaveLength(5);
});

test('a job that is "error" or "done" is read, whether "completed" is set or not', async () => {
  const [error, done] = [{ job_state: 'error' }, { job_state: 'done', note: null, extra: 1 }];
  const { provider } = await openAt(oneByOne(json(200, { ...job, ...error }), json(200, { ...job, ...done })));
  const read = () => provider.vps.logDetails({ ...server34, log_id: 812 });
  expect(await read()).toMatchObject({ job_state: 'error', completed: false });
  expect(await read()).toEqual({ ...job, job_state: 'done' });
});
