import { expect, test } from 'vitest';
import { eachProvider } from '../caller.ts';

const dayMs = 86_400_000;
const { provider, call } = eachProvider();

const order = async (id: string) => (await call(`GET /orders/${id}/`)).body;

test('the seed account has twelve servers, two of them off, for about 120 a month', async () => {
  const orders = (await call('GET /orders/?page_size=100')).body.results;
  const servers = (await call('GET /orders/vps/?page_size=100')).body.results;
  expect(servers).toHaveLength(12);
  expect(servers.find(({ id }) => id === '34-12345')).toMatchObject({
    name: 'web-1',
    status: 'active',
    ipaddress_set: ['192.0.2.10'],
    type: 'vps',
    cancel_mark: false,
    configuration: { cpu_count: 2, ram_size: 4, disk_size: 40, cpu_arch: 'x86_64' },
    project: { id: 1, name: 'Website' },
  });
  const power = await Promise.all(servers.map(async ({ id }) => (await call(`GET /vps/${id}/status/`)).body.status));
  expect(power.filter((status) => status === 'off')).toHaveLength(2);
  const monthly = orders.filter(({ status }) => status !== 'unpaid').reduce((sum, one) => sum + one.cost_month, 0);
  expect(monthly).toBeCloseTo(120.35);
  expect((await call('GET /account/balance')).body).toEqual({ balance: 84.2, currency: 'EUR' });
  const unpaid = { unpaid_invoices_count: 1, unpaid_invoices_amount: 2.5, currency: 'EUR' };
  expect((await call('GET /account/invoices')).body).toEqual(unpaid);
  expect((await order('375-13')).ipaddress_set).toBeNull();
});

test('cancel marks the order, keep removes the mark, and a marked order ends with its period', async () => {
  const message = 'Order will be canceled after expiration.';
  expect((await call('POST /orders/34-12352/cancel/')).body).toEqual({ status: 'cancel_pending', message });
  const marked = (await call('GET /orders/?cancel_mark=true')).body.results;
  expect(marked.map(({ id }) => id)).toEqual(['34-12352']);
  expect((await call('DELETE /orders/34-12352/cancel/')).status).toBe(204);
  expect((await order('34-12352')).cancel_mark).toBe(false);

  await call('POST /orders/34-12352/cancel/', { save_backup: true });
  provider().sim.advance(3 * dayMs);
  expect(await order('34-12352')).toMatchObject({ status: 'canceled', ipaddress_set: [] });
  const snapshots = (await call('GET /orders/vps/snapshots/')).list;
  expect(snapshots.map(({ name }) => name)).toContain('cache-1 before cancellation');
});

test('an unpaid order is canceled at once, with any "when", and its invoice is removed', async () => {
  expect((await call('POST /orders/664-2041/cancel/', { when: 'expired' })).body.status).toBe('canceled');
  expect((await order('664-2041')).status).toBe('canceled');
  expect((await call('GET /account/invoices')).body.unpaid_invoices_count).toBe(0);
});

test('an order that is canceled with "now" ends after a while', async () => {
  const { body } = await call('POST /orders/34-12422/cancel/', { when: 'now', save_backup: false });
  expect(body.status).toBe('cancel_pending');
  expect((await order('34-12422')).status).toBe('active');
  provider().sim.advance(15 * 60_000);
  expect((await order('34-12422')).status).toBe('canceled');
});

test('an order that is not renewed expires and is shut down, then disabled, then canceled', async () => {
  provider().sim.advance(3 * dayMs);
  expect((await order('34-12352')).status).toBe('expired');
  expect((await call('GET /vps/34-12352/status/')).body.status).toBe('off');
  provider().sim.advance(7 * dayMs);
  expect((await order('34-12352')).status).toBe('disabled');
  provider().sim.advance(14 * dayMs);
  expect((await order('34-12352')).status).toBe('canceled');
});

test('an order that is renewed is paid from the balance as long as it lasts', async () => {
  const before = (await order('34-12422')).expiration_date;
  provider().sim.advance(7 * dayMs);
  expect(await order('34-12422')).toMatchObject({ status: 'active' });
  expect((await order('34-12422')).expiration_date > before).toBe(true);
  expect((await call('GET /account/balance')).body.balance).toBeCloseTo(84.2 - 3.5);

  provider().sim.balance({ balance: 1, unpaid: [] });
  provider().sim.advance(1.5 * dayMs);
  expect((await order('34-12371')).status).toBe('expired');
  expect((await call('GET /account/invoices')).body).toMatchObject({ unpaid_invoices_amount: 3.5 });
  provider().sim.renew({ order: '34-12371' });
  expect((await order('34-12371')).status).toBe('active');
  expect((await call('GET /account/invoices')).body.unpaid_invoices_count).toBe(0);
});

test('the name, tags and project of an order can be replaced and removed', async () => {
  const path = 'PATCH /orders/34-12345/' as const;
  const changed = { name: 'www', tags: ['a', 'b'], project: 2 };
  expect((await call(path, { ...changed, tags: ['a', 'b', 'a'] })).body).toEqual(changed);
  expect((await call(path, { name: '', tags: [], project: '' })).body).toEqual({ name: '', tags: [], project: null });
  expect(await order('34-12345')).toMatchObject({ name: '', tags: [], project: null });
});

test('orders can be added to a project and removed, its logo is served, and deleting it keeps the orders', async () => {
  const project = (await call('POST /project/', { name: 'Blue' })).body;
  expect(project.comment).toBe('');
  expect((await fetch(project.logo)).headers.get('content-type')).toBe('image/svg+xml');
  const added = await call(`POST /project/${project.id}/add_orders/`, { orders: ['34-12345', '77-3301'] });
  expect([added.status, added.text]).toEqual([200, '']);
  expect((await order('77-3301')).project).toMatchObject({ name: 'Blue' });
  expect((await call(`POST /project/${project.id}/add_orders/`, { orders: ['34-1'] })).body).toEqual({
    orders: { 0: ['Invalid pk "34-1" - object does not exist.'] },
  });
  await call(`POST /project/${project.id}/remove_orders/`, { orders: ['77-3301'] });
  expect((await order('77-3301')).project).toBeNull();

  const form = new FormData();
  form.set('logo', new File([new Uint8Array([137, 80, 78, 71, 1])], 'our logo.png', { type: 'image/png' }));
  const { logo } = (await call(`PUT /project/${project.id}/edit_logo/`, form)).body;
  const picture = await fetch(logo);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([137, 80, 78, 71, 1]);
  expect((await call(`PUT /project/${project.id}/edit_logo/`, {})).status).toBe(415);
  expect((await call(`PUT /project/${project.id}/edit_logo/`, new FormData())).status).toBe(400);

  await call(`DELETE /project/${project.id}/`);
  expect((await order('34-12345')).project).toBeNull();
});

test('an account has one private network, and a server can join it only while it exists', async () => {
  const again = await call('POST /private-network/');
  expect(again).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining('already')] } });
  const settings = 'PATCH /vps/34-12345/' as const;
  expect((await call(settings, { private_network_enabled: true })).body).toEqual({ private_network_enabled: true });
  expect((await call('DELETE /private-network/1/')).status).toBe(204);
  expect((await call(settings, {})).body).toEqual({ private_network_enabled: false });
  expect((await call(settings, { private_network_enabled: true })).status).toBe(400);
  expect((await call('POST /private-network/')).status).toBe(201);
});

test('the traffic of a dedicated server grows with time, and its limit is read by the bare number', async () => {
  const path = 'GET /orders/ds/1000101/traffic_used/' as const;
  const before = (await call(path)).body;
  expect(before).toMatchObject({ order: '34-1000101', limit: 10e12 });
  expect(Number.isInteger(before.used)).toBe(false);
  expect(before.used_rate).toBeGreaterThan(0.6);
  provider().sim.advance(dayMs);
  expect((await call(path)).body.used).toBeGreaterThan(before.used);
  expect((await call('GET /orders/ds/34-1000101/traffic_used/')).status).toBe(404);

  const month = (await call('GET /orders/ds/34-1000101/traffic/')).body;
  expect(month.period).toBe('month');
  expect(month.data).toHaveLength(30);
  expect(month.data[3]?.[0]).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(month.data[3]?.[1]?.output).toBeGreaterThan(0);
  expect((await call('GET /orders/ds/34-1000101/traffic/?period=week')).body).toEqual({
    period: ['"week" is not a valid choice.'],
  });
});
