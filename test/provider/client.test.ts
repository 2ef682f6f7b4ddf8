import { expect, expectTypeOf, test } from 'vitest';
import { ProviderError } from '../../src/core/view/errors.ts';
import { createAbsent } from '../../src/provider/absent.ts';
import { type Provider, type Reader, readerOf } from '../../src/provider/client.ts';
import type { DnsEntry } from '../../src/provider/endpoints/dns.ts';
import type { ProviderOrder } from '../../src/provider/endpoints/orders.ts';
import type { Job } from '../../src/provider/endpoints/vps.ts';
import type { ItemList } from '../../src/provider/items.ts';
import { table } from '../../src/provider/table.ts';
import { errorOf, openProvider } from './open.ts';
import { job, json, oneByOne, orderItem, raw, serve } from './server.ts';

const server34 = { order_id: '34-12345' };
const empty = { count: 0, next: null, previous: null, results: [] };

test('the keys of the path, the query and the body are sent where the route has them', async () => {
  const record = { id: 9, host: 'www', type: 'A', value: '192.0.2.1' };
  const server = await serve(oneByOne(json(200, []), json(200, record), json(200, empty), json(201, { id: 1 })));
  const { provider } = openProvider(`${server.url}/api`);
  await provider.dns.entries({ name: 'bücher.example', q: 'a b&c', type: 'MX' });
  await provider.dns.updateEntry({
    name: 'example.com',
    id: 9,
    host: 'www',
    type: 'A',
    value: '192.0.2.1',
    prio: null,
    ttl: 300,
  });
  await provider.orders.list({ cancel_mark: true, ordering: 'expired' });
  await provider.privateNetworks.create();
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/dns/domain/b%C3%BCcher.example/entry_set/?q=a+b%26c&type=MX',
    'PUT /api/dns/domain/example.com/entry_set/9/',
    'GET /api/orders/?cancel_mark=true&ordering=expired&page_size=100',
    'POST /api/private-network/',
  ]);
  expect(JSON.parse(server.received[1]?.body ?? '')).toEqual({
    host: 'www',
    type: 'A',
    value: '192.0.2.1',
    prio: null,
    ttl: 300,
  });
  expect(server.received[1]?.headers['content-type']).toBe('application/json');
  expect(server.received[3]?.body).toBe('');
});

test('a list that the provider does not have is reported as absent, and requested again after five minutes', async () => {
  const server = await serve(
    oneByOne(json(404, { detail: 'Not Found' }), json(200, empty), json(404, { detail: 'Not Found' }), json(404, {})),
  );
  const { provider } = openProvider(server.url);
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
  const orders = { route: 'GET /orders/', effect: 'read' } as const;
  const addresses = { route: 'GET /network/ip-address/', effect: 'read' } as const;
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
  const server = await serve(json(200, {}));
  const { provider } = openProvider(server.url);
  await expect(call(provider)).rejects.toThrow(TypeError);
  await expect(call(provider)).rejects.toThrow(/^(POST|DELETE) .*: the input does not fit: /);
  expect(server.received).toEqual([]);
});
const hardware = { configuration: { cpu_count: 2, ram_size: 4, disk_size: 40 } };

test('a list is read to its end, page by page', async () => {
  const server = await serve(({ url }, response) => {
    const at = new URL(url, 'http://x');
    const page = Number(at.searchParams.get('page') ?? 1);
    at.searchParams.set('page', String(page + 1));
    const next = page < 3 ? `${server.url}${at.pathname}${at.search}` : null;
    json(200, { count: 3, next, previous: null, results: [{ ...orderItem, id: `34-${page}` }] })(
      { method: '', url, headers: {}, body: '' },
      response,
    );
  });
  const { provider } = openProvider(`${server.url}/api`);
  const orders = await provider.orders.list({ page_size: 1 });
  expect(orders.map(({ id }) => id)).toEqual(['34-1', '34-2', '34-3']);
  expect(server.received.map(({ url }) => url)).toEqual([
    '/api/orders/?page_size=1',
    '/api/orders/?page_size=1&page=2',
    '/api/orders/?page_size=1&page=3',
  ]);
});

test.each([
  ['to another list', (url: string) => `${url}/project/?page=2`, 'next leads away from'],
  ['nowhere', () => 'http://', 'next leads away from'],
  ['in a circle', (url: string) => `${url}/orders/?page=2`, 'next leads in a circle'],
])('a next page that leads %s is not followed', async (_, next, words) => {
  const server = await serve((request, response) => json(200, { ...empty, next: next(server.url) })(request, response));
  const { provider } = openProvider(server.url);
  const error = await errorOf(provider.orders.list());
  expect(error).toMatchObject({ kind: 'shape', endpoint: 'GET /orders/' });
  expect(error.words).toContain(words);
  expect(server.received.every(({ url }) => url.startsWith('/orders/'))).toBe(true);
});

test('a response of the wrong shape is an error that names the endpoint and the field, without the value', async () => {
  const server = await serve(
    oneByOne(json(200, { ...empty, results: 'hunter2' }), json(200, { passwd: ['hunter2'], resp_id: 'hunter2' })),
  );
  const { provider } = openProvider(server.url);
  const list = await errorOf(provider.orders.list());
  expect(list).toMatchObject({ kind: 'shape', endpoint: 'GET /orders/' });
  expect(list.message).toMatch(/results: /);
  const reset = await errorOf(provider.vps.passwdReset(server34));
  expect(reset.message).toMatch(/passwd: .*resp_id: /);
  for (const error of [list, reset]) expect(`${error.stack} ${error.cause}`).not.toContain('hunter2');
});

test.each([
  [
    400,
    json(400, { name: ['This field is required.', 'Too short.'], tags: { 0: ['Bad.'] } }),
    'name: This field is required.; name: Too short.; tags.0: Bad.',
  ],
  [400, json(400, { non_field_errors: ['Insufficient funds.'] }), 'Insufficient funds.'],
  [400, json(400, ['Server is locked.', 'Try later.']), 'Server is locked.; Try later.'],
  [
    400,
    json(400, { configuration: { ram_size: ['"3" is not a valid choice.'] } }),
    'configuration.ram_size: "3" is not a valid choice.',
  ],
  [400, json(400, 'Only words.'), 'Only words.'],
  [404, json(404, { detail: 'No Domain matches the given query.' }), 'No Domain matches the given query.'],
  [
    404,
    raw(404, 'text/html', '<!doctype html><html><head><title>Not &amp; Found\n</title></head><body>x</body></html>'),
    'Not & Found',
  ],
  [
    502,
    raw(502, 'text/html', '<html><style>b{}</style><body><h1>Bad\n Gateway</h1><hr>nginx</body></html>'),
    'Bad Gateway nginx',
  ],
  [409, raw(409, 'text/plain', 'busy \u0007\n now'), 'busy now'],
  [418, raw(418, 'text/plain', ''), ''],
])('an error with status %i quotes the provider (%#)', async (status, answer, words) => {
  const server = await serve(answer);
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ status, words });
});

test('validation messages are returned by field', async () => {
  const server = await serve(json(400, { ttl: ['"60" is not a valid choice.'], non_field_errors: ['No.'] }));
  const { provider } = openProvider(server.url);
  const error = await errorOf(provider.projects.create({ name: 'a' }));
  expect(error).toMatchObject({ kind: 'invalid', fields: { ttl: ['"60" is not a valid choice.'] } });
  expect(error.fields).not.toHaveProperty('non_field_errors');
});

test('a long message of the provider is cut', async () => {
  const server = await serve(json(409, { detail: 'x'.repeat(10_000) }));
  const { provider } = openProvider(server.url);
  expect((await errorOf(provider.vps.restart(server34))).words).toHaveLength(500);
});

test('a reader has only the methods that read, at run time too', async () => {
  const server = await serve(json(200, { status: 'off' }));
  const reader = readerOf(openProvider(server.url).provider);
  expect(await reader.vps.status(server34)).toEqual({ status: 'off' });
  const names = Object.entries(reader).flatMap(([area, methods]) =>
    Object.keys(methods).map((name) => `${area}.${name}`),
  );
  const reads = Object.entries(table).flatMap(([area, rows]) =>
    Object.entries(rows).flatMap(([name, row]) =>
      row.effect === 'read' && !('reveals' in row) ? [`${area}.${name}`] : [],
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
  const server = await serve(
    oneByOne(json(200, { ...job, job_state: 'error' }), json(200, { ...job, job_state: 'done', note: null, extra: 1 })),
  );
  const { provider } = openProvider(server.url);
  expect(await provider.vps.logDetails({ ...server34, log_id: 812 })).toMatchObject({
    job_state: 'error',
    completed: false,
  });
  expect(await provider.vps.logDetails({ ...server34, log_id: 812 })).toEqual({ ...job, job_state: 'done' });
});
