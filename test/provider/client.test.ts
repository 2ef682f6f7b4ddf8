import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { keyBody } from '../../sandbox/provider/seed/ssh-keys.ts';
import { startProvider } from '../../sandbox/provider/server.ts';
import { ProviderError } from '../../src/core/view/errors.ts';
import { createAbsent } from '../../src/provider/absent.ts';
import { type Provider, type Reader, readerOf } from '../../src/provider/client.ts';
import { effectOf } from '../../src/provider/endpoint.ts';
import type { ProviderDomain } from '../../src/provider/endpoints/dns.ts';
import type { ProviderOrder } from '../../src/provider/endpoints/orders.ts';
import type { Job } from '../../src/provider/endpoints/vps-orders.ts';
import type { ItemList } from '../../src/provider/items.ts';
import { table } from '../../src/provider/table.ts';
import { errorOf, openAt, openProvider, server34 } from './open.ts';
import { job, json, oneByOne } from './server.ts';

const empty = { count: 0, next: null, previous: null, results: [] };

test('the keys of the path, the query and the body are sent where the route has them', async () => {
  const record = { id: 9, host: 'www', type: 'A', value: '192.0.2.1' };
  const answers = oneByOne(json(200, []), json(200, record), json(200, empty), json(201, { id: 1 }));
  const { server, provider } = await openAt(answers, {}, '/api');
  const body = { host: 'www', type: 'A', value: '192.0.2.1', prio: null, ttl: 300 } as const;
  await provider.dns.entries({ name: 'bücher.example', q: 'a b&c', type: 'MX' });
  await provider.dns.updateEntry({ name: 'example.com', id: 9, ...body });
  await provider.orders.list({ cancel_mark: true });
  await provider.privateNetworks.create();
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/dns/domain/b%C3%BCcher.example/entry_set/?q=a+b%26c&type=MX',
    'PUT /api/dns/domain/example.com/entry_set/9/',
    'GET /api/orders/?cancel_mark=true&page_size=100',
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
  const around = createAbsent(() => now);
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
  expectTypeOf<Awaited<ReturnType<Provider['dns']['entries']>>>().toEqualTypeOf<ProviderDomain['entry_set']>();
  expectTypeOf<Awaited<ReturnType<Provider['orders']['list']>>>().toEqualTypeOf<ItemList<ProviderOrder>>();
  expectTypeOf<Awaited<ReturnType<Provider['vps']['restart']>>>().toEqualTypeOf<Job>();
  expectTypeOf<Awaited<ReturnType<Provider['dns']['zoneFile']>>>().toEqualTypeOf<string>();
  expectTypeOf<Awaited<ReturnType<Provider['orders']['keep']>>>().toEqualTypeOf<void>();
  expectTypeOf<ProviderDomain['entry_set'][number]['ttl']>().toEqualTypeOf<number | null>();
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

// Two readings of one specification, made apart: the client's and the simulator's. Here they meet.

const rows = Object.entries(table).flatMap(([area, endpoints]) =>
  Object.keys(endpoints).map((name) => `${area}.${name}`),
);

test('the client accepts the simulator’s response to every operation', async () => {
  const simulator = await startProvider({ jobMs: 1 });
  onTestFinished(() => simulator.close());
  const { provider: p } = openProvider(simulator.url, { apiKey: simulator.key });
  const web = { order_id: '34-12345' };
  const done = new Set<string>();
  const call = async <T>(key: string, answer: Promise<T>): Promise<T> => {
    done.add(key);
    return answer;
  };
  const finished = () => simulator.sim.advance(120_000);
  await call('account.balance', p.account.balance());
  await call('account.info', p.account.info());
  await call('account.invoices', p.account.invoices());
  await call('plans.backups', p.plans.backups());
  await call('plans.dedicated', p.plans.dedicated());
  await call('plans.hosting', p.plans.hosting());
  const [plan] = await call('plans.vps', p.plans.vps());
  const project = await call('projects.create', p.projects.create({ name: 'Shop' }));
  await call('projects.list', p.projects.list());
  await call('projects.read', p.projects.read({ id: project.id }));
  await call('projects.update', p.projects.update({ id: project.id, comment: 'ours' }));
  await call('projects.addOrders', p.projects.addOrders({ id: project.id, orders: ['34-12345'] }));
  await call('projects.removeOrders', p.projects.removeOrders({ id: project.id, orders: ['34-12345'] }));
  const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
  const logo = { name: 'logo.png', type: 'image/png', bytes: png } as const;
  await call('projects.editLogo', p.projects.editLogo({ id: project.id, logo }));
  await call('projects.delete', p.projects.delete({ id: project.id }));
  await call('orders.list', p.orders.list({ cancel_mark: true }));
  await call('orders.read', p.orders.read(web));
  await call('orders.update', p.orders.update({ ...web, name: 'web-one' }));
  await call('orders.cancel', p.orders.cancel({ ...web, when: 'expired' }));
  await call('orders.keep', p.orders.keep(web));
  await call('vpsOrders.list', p.vpsOrders.list());
  await call('vpsOrders.read', p.vpsOrders.read(web));
  const [template] = await call('vpsOrders.templates', p.vpsOrders.templates());
  await call('vpsOrders.apps', p.vpsOrders.apps());
  await call('vpsOrders.snapshots', p.vpsOrders.snapshots());
  const locations = await call('vpsOrders.locations', p.vpsOrders.locations());
  await call('vpsOrders.disks', p.vpsOrders.disks());
  await call('vpsOrders.services', p.vpsOrders.services());
  const location = locations.find((one) => !one.disabled_by_slots)?.value ?? 'nl';
  const order = { tariff: plan?.id ?? 0, template: template?.id ?? 0, location, name: 'new-1' };
  await call('vpsOrders.create', p.vpsOrders.create(order));
  finished();
  const [image] = await call('reinstall.templates', p.reinstall.templates(web));
  await call('reinstall.apps', p.reinstall.apps(web));
  await call('reinstall.snapshots', p.reinstall.snapshots(web));
  await call('reinstall.run', p.reinstall.run({ ...web, template: image?.id ?? 0 }));
  finished();
  await call('vps.status', p.vps.status(web));
  for (const verb of ['restart', 'stop', 'start', 'rescueMode', 'stopRescueMode', 'hardReset'] as const) {
    const job = await call(`vps.${verb}`, p.vps[verb](web));
    finished();
    expect((await call('vps.logDetails', p.vps.logDetails({ ...web, log_id: job.pk }))).job_state).toBe('done');
  }
  await call('vps.passwdReset', p.vps.passwdReset(web));
  finished();
  const [network] = await call('privateNetworks.list', p.privateNetworks.list());
  await call('privateNetworks.locations', p.privateNetworks.locations());
  await call('privateNetworks.delete', p.privateNetworks.delete({ id: network?.id ?? 0 }));
  await call('privateNetworks.create', p.privateNetworks.create());
  await call('vps.settings', p.vps.settings({ ...web, private_network_enabled: true }));
  await call('vps.stats', p.vps.stats({ ...web, field: 'traffic', start: '-24h' }));
  await call('ds.list', p.ds.list());
  await call('ds.read', p.ds.read({ order_id: '34-1000101' }));
  await call('ds.traffic', p.ds.traffic({ order_id: '34-1000101', period: 'month' }));
  await call('ds.trafficUsed', p.ds.trafficUsed({ order_id: 1_000_101 }));
  await call('dns.domains', p.dns.domains());
  await call('dns.createDomain', p.dns.createDomain({ name: 'new.example', ip: '192.0.2.77' }));
  await call('dns.zoneFile', p.dns.zoneFile({ name: 'example.com' }));
  await call('dns.entries', p.dns.entries({ name: 'example.com' }));
  const record = { name: 'example.com', host: 'new', type: 'A', value: '192.0.2.9' } as const;
  const entry = await call('dns.createEntry', p.dns.createEntry(record));
  await call('dns.updateEntry', p.dns.updateEntry({ ...record, id: entry.id, prio: null, ttl: 300 }));
  await call('dns.deleteEntry', p.dns.deleteEntry({ name: 'example.com', id: entry.id }));
  await call('dns.deleteDomain', p.dns.deleteDomain({ name: 'new.example' }));
  const nss = 'ns1.example.com,ns2.example.com';
  await call('domainOrders.changeNs', p.domainOrders.changeNs({ order_id: '375-13', nss }));
  await call('dns.setTags', p.dns.setTags({ name: 'example.com', tags: ['prod', 'eu'] }));
  const [known] = await call('sshKeys.list', p.sshKeys.list());
  const newKey = { key: `ssh-ed25519 ${keyBody('ssh-ed25519', 'new')} eve@desk`, title: 'Eve', default: true };
  const key = await call('sshKeys.add', p.sshKeys.add(newKey));
  expect(await call('sshKeys.ofServer', p.sshKeys.ofServer(web))).toContainEqual(key);
  await call('sshKeys.unlink', p.sshKeys.unlink({ ...web, key_pk: key.id }));
  expect(await p.sshKeys.ofServer(web)).toEqual([known, expect.objectContaining({ title: 'CI deploy' })]);
  await call('sshKeys.link', p.sshKeys.link({ ...web, key_pk: key.id }));
  await call('sshKeys.remove', p.sshKeys.remove({ key_id: key.id }));
  const addresses = await call('network.addresses', p.network.addresses());
  expect(addresses).toContainEqual(expect.objectContaining({ ip: '203.0.113.41', rdns: '' }));
  const [bucket] = await call('s3.list', p.s3.list());
  expect(await call('s3.read', p.s3.read({ order_id: bucket?.id ?? '' }))).toEqual(bucket);
  await call('s3.secretKey', p.s3.secretKey({ order_id: bucket?.id ?? '' }));
  await call('s3.setThreshold', p.s3.setThreshold({ order_id: 2041, space_warning_notify_gb: 5 }));
  await call('tickets.open', p.tickets.open({ subject: 'A', message: 'B', priority: 0, order: '34-12345' }));
  expect((await call('tickets.webhook', p.tickets.webhook())).url).toBe(null);
  await call('tickets.setWebhook', p.tickets.setWebhook({ url: 'https://bot.example.com/hooks/ticket/a.b' }));
  expect((await p.tickets.webhook()).url).toBe('https://bot.example.com/hooks/ticket/a.b');
  expect(rows.filter((key) => !done.has(key))).toEqual([]);
  const made = ['dns/domain', 'dns/domain/{name}/entry_set', 'orders/vps', 'private-network', 'project', 'ssh_keys'];
  const removed = ['dns/domain/{name}', 'dns/domain/{name}/entry_set/{id}', 'orders/{order_id}/cancel', 'project/{id}'];
  const unusual = simulator.sim.requests().filter(({ status }) => status !== 200);
  expect(new Set(unusual.map(({ status, route }) => `${status} ${route}`))).toEqual(
    new Set([
      ...[...made, 'tickets/ticket', 'tickets/webhook_set'].map((path) => `201 POST /${path}/`),
      ...[...removed, 'private-network/{id}', 'ssh_keys/{key_id}'].map((path) => `204 DELETE /${path}/`),
    ]),
  );
});
