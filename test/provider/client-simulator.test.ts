import { expect, onTestFinished, test } from 'vitest';
import { keyBody } from '../../sandbox/provider/seed/ssh-keys.ts';
import { startProvider } from '../../sandbox/provider/server.ts';
import { table } from '../../src/provider/table.ts';
import { openProvider } from './open.ts';

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
  await call('orders.list', p.orders.list({ ordering: 'expired' }));
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
