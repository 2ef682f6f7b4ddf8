import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../../sandbox/provider/routes/all.ts';
import { keyBody } from '../../../../sandbox/provider/seed/ssh-keys.ts';
import { type SimulatedProvider, startProvider } from '../../../../sandbox/provider/server.ts';
import { createCaller } from '../caller.ts';

const logo = () => {
  const form = new FormData();
  form.set('logo', new File([new Uint8Array([137, 80, 78, 71])], 'logo.png', { type: 'image/png' }));
  return form;
};
const webRecord = { host: 'new', type: 'A', value: '192.0.2.77' };

type Row = readonly [route: string, status: number, path: `/${string}`, body?: object];

/** The specification's endpoint tables, written out by hand, each with a request that succeeds. In an order that works. */
const operations: readonly Row[] = [
  ['GET /account/balance', 200, '/account/balance'],
  ['GET /account/info', 200, '/account/info'],
  ['GET /account/invoices', 200, '/account/invoices'],
  ['GET /plans/backups', 200, '/plans/backups'],
  ['GET /plans/dedicated', 200, '/plans/dedicated'],
  ['GET /plans/hosting', 200, '/plans/hosting'],
  ['GET /plans/vps', 200, '/plans/vps'],
  ['GET /project/', 200, '/project/'],
  ['POST /project/', 201, '/project/', { name: 'New', comment: '' }],
  ['GET /project/{id}/', 200, '/project/1/'],
  ['PATCH /project/{id}/', 200, '/project/1/', { comment: 'changed' }],
  ['POST /project/{id}/add_orders/', 200, '/project/1/add_orders/', { orders: ['34-12422'] }],
  ['POST /project/{id}/remove_orders/', 200, '/project/1/remove_orders/', { orders: ['34-12422'] }],
  ['PUT /project/{id}/edit_logo/', 200, '/project/1/edit_logo/', logo()],
  ['DELETE /project/{id}/', 204, '/project/1/'],
  ['GET /orders/', 200, '/orders/'],
  ['GET /orders/{order_id}/', 200, '/orders/77-3301/'],
  ['PATCH /orders/{order_id}/', 200, '/orders/34-12345/', { name: 'web-1', tags: ['web'], project: 2 }],
  ['POST /orders/{order_id}/cancel/', 200, '/orders/34-12345/cancel/', { when: 'expired', save_backup: true }],
  ['DELETE /orders/{order_id}/cancel/', 204, '/orders/34-12345/cancel/'],
  ['GET /orders/vps/', 200, '/orders/vps/'],
  ['GET /orders/vps/{order_id}/', 200, '/orders/vps/34-12345/'],
  ['POST /orders/vps/', 201, '/orders/vps/', { tariff: 101, template: 1, location: 'de' }],
  ['GET /orders/vps/templates/', 200, '/orders/vps/templates/'],
  ['GET /orders/vps/apps/', 200, '/orders/vps/apps/'],
  ['GET /orders/vps/snapshots/', 200, '/orders/vps/snapshots/'],
  ['GET /orders/vps/locations/', 200, '/orders/vps/locations/'],
  ['GET /orders/vps/disks/', 200, '/orders/vps/disks/'],
  ['GET /orders/vps/services/', 200, '/orders/vps/services/'],
  ['GET /vps/{order_id}/reinstall/templates/', 200, '/vps/34-12345/reinstall/templates/'],
  ['GET /vps/{order_id}/reinstall/apps/', 200, '/vps/34-12345/reinstall/apps/'],
  ['GET /vps/{order_id}/reinstall/snapshots/', 200, '/vps/34-12345/reinstall/snapshots/'],
  ['POST /vps/{order_id}/reinstall/reinstall/', 200, '/vps/34-12345/reinstall/reinstall/', { template: 4 }],
  ['GET /vps/{order_id}/status/', 200, '/vps/34-12345/status/'],
  ['POST /vps/{order_id}/start/', 200, '/vps/34-12422/start/'],
  ['POST /vps/{order_id}/stop/', 200, '/vps/34-12399/stop/'],
  ['POST /vps/{order_id}/restart/', 200, '/vps/34-12407/restart/'],
  ['POST /vps/{order_id}/rescue_mode/', 200, '/vps/34-12346/rescue_mode/'],
  ['POST /vps/{order_id}/stop_rescue_mode/', 200, '/vps/34-12411/stop_rescue_mode/'],
  ['POST /vps/{order_id}/hard_reset/', 200, '/vps/34-12352/hard_reset/'],
  ['POST /vps/{order_id}/passwd_reset/', 200, '/vps/34-12360/passwd_reset/'],
  ['GET /vps/{order_id}/log_details/{log_id}/', 200, '/vps/34-12345/log_details/800/'],
  ['PATCH /vps/{order_id}/', 200, '/vps/34-12345/', { private_network_enabled: true }],
  ['GET /vps/{order_id}/stats/{field}/', 200, '/vps/34-12345/stats/cpu/?start=-24h&end=now'],
  ['GET /private-network/locations/', 200, '/private-network/locations/'],
  ['GET /private-network/', 200, '/private-network/'],
  ['DELETE /private-network/{id}/', 204, '/private-network/1/'],
  ['POST /private-network/', 201, '/private-network/'],
  ['GET /orders/ds/', 200, '/orders/ds/'],
  ['GET /orders/ds/{order_id}/', 200, '/orders/ds/34-1000101/'],
  ['GET /orders/ds/{order_id}/traffic/', 200, '/orders/ds/34-1000101/traffic/?period=year&port=0'],
  ['GET /orders/ds/{order_id}/traffic_used/', 200, '/orders/ds/1000101/traffic_used/'],
  ['GET /dns/domain/', 200, '/dns/domain/?q=example'],
  ['POST /dns/domain/', 201, '/dns/domain/', { name: 'example.edu', ip: '192.0.2.10' }],
  ['GET /dns/domain/{name}/zone_file/', 200, '/dns/domain/example.com/zone_file/'],
  ['GET /dns/domain/{name}/entry_set/', 200, '/dns/domain/example.com/entry_set/?type=A'],
  ['POST /dns/domain/{name}/entry_set/', 201, '/dns/domain/example.com/entry_set/', webRecord],
  ['PUT /dns/domain/{name}/entry_set/{id}/', 200, '/dns/domain/example.com/entry_set/5/', { ...webRecord, host: 'w' }],
  ['DELETE /dns/domain/{name}/entry_set/{id}/', 204, '/dns/domain/example.com/entry_set/5/'],
  ['DELETE /dns/domain/{name}/', 204, '/dns/domain/example.edu/'],
  [
    'POST /dns/order/{order_id}/change_ns/',
    200,
    '/dns/order/375-13/change_ns/',
    { nss: 'ns1.example.com,ns2.example.com' },
  ],
  ['PUT /dns/domain/{name}/tags/', 200, '/dns/domain/example.com/tags/', { tags: ['example'] }],
  ['GET /ssh_keys/', 200, '/ssh_keys/'],
  ['POST /ssh_keys/', 201, '/ssh_keys/', { key: `ssh-rsa ${keyBody('ssh-rsa', 'x')}`, title: 'x', default: true }],
  ['GET /vps/{order_id}/ssh_keys/', 200, '/vps/34-12345/ssh_keys/'],
  ['POST /vps/{order_id}/ssh_keys/add/', 200, '/vps/34-12345/ssh_keys/add/', { key_pk: 3 }],
  ['POST /vps/{order_id}/ssh_keys/delete/', 200, '/vps/34-12345/ssh_keys/delete/', { key_pk: 3 }],
  ['DELETE /ssh_keys/{key_id}/', 204, '/ssh_keys/3/'],
  ['GET /network/ip-address/', 200, '/network/ip-address/?search=web'],
  ['GET /orders/s3/', 200, '/orders/s3/?page_size=1'],
  ['GET /orders/s3/{order_id}/', 200, '/orders/s3/664-2041/'],
  [
    'PUT /orders/s3/{order_id}/notification_threshold/',
    200,
    '/orders/s3/2041/notification_threshold/',
    { space_warning_notify_gb: 0 },
  ],
  ['POST /tickets/ticket/', 201, '/tickets/ticket/', { subject: 'a', message: 'b', credentials: { username: 'c' } }],
  ['GET /tickets/webhook_info/', 200, '/tickets/webhook_info/'],
  ['POST /tickets/webhook_set/', 201, '/tickets/webhook_set/', { url: 'https://example.com/x' }],
];

let provider: SimulatedProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

test('the table has the 75 operations of the specification, and no others', () => {
  expect(operations).toHaveLength(75);
  expect(routes.map(({ route }) => route).sort()).toEqual(operations.map(([route]) => route).sort());
});

const walk = operations.map(([route, status, path, body]) => ({ route, status, path, body }));

test.each(walk)('$route answers $status', async ({ route, status, path, body }) => {
  const method = route.split(' ')[0] ?? '';
  const answer = await createCaller(provider)(`${method} ${path}`, body);
  expect(answer.status, answer.text).toBe(status);
  if (status === 204) expect(answer.text).toBe('');
  expect(provider.sim.requests().at(-1)).toMatchObject({ route, status });
});
