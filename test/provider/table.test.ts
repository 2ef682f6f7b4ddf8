import { expect, test } from 'vitest';
import { routes as served } from '../../sandbox/provider/routes/all.ts';
import { table } from '../../src/provider/table.ts';
import { operationTable } from '../docs/operation-table.ts';

const account = ['GET /account/balance', 'GET /account/info', 'GET /account/invoices'];
const plans = ['GET /plans/backups', 'GET /plans/dedicated', 'GET /plans/hosting', 'GET /plans/vps'];
const projects = [
  'GET /project/',
  'POST /project/',
  'GET /project/{id}/',
  'PATCH /project/{id}/',
  'DELETE /project/{id}/',
  'POST /project/{id}/add_orders/',
  'POST /project/{id}/remove_orders/',
  'PUT /project/{id}/edit_logo/',
];
const orders = [
  'GET /orders/',
  'GET /orders/{order_id}/',
  'PATCH /orders/{order_id}/',
  'POST /orders/{order_id}/cancel/',
  'DELETE /orders/{order_id}/cancel/',
];
const vpsOrders = [
  'GET /orders/vps/',
  'GET /orders/vps/{order_id}/',
  'POST /orders/vps/',
  'GET /orders/vps/templates/',
  'GET /orders/vps/apps/',
  'GET /orders/vps/snapshots/',
  'GET /orders/vps/locations/',
  'GET /orders/vps/disks/',
  'GET /orders/vps/services/',
];
const reinstall = [
  'GET /vps/{order_id}/reinstall/templates/',
  'GET /vps/{order_id}/reinstall/apps/',
  'GET /vps/{order_id}/reinstall/snapshots/',
  'POST /vps/{order_id}/reinstall/reinstall/',
];
const vps = [
  'GET /vps/{order_id}/status/',
  'POST /vps/{order_id}/start/',
  'POST /vps/{order_id}/stop/',
  'POST /vps/{order_id}/restart/',
  'POST /vps/{order_id}/rescue_mode/',
  'POST /vps/{order_id}/stop_rescue_mode/',
  'POST /vps/{order_id}/hard_reset/',
  'POST /vps/{order_id}/passwd_reset/',
  'GET /vps/{order_id}/log_details/{log_id}/',
  'PATCH /vps/{order_id}/',
  'GET /vps/{order_id}/stats/{field}/',
];
const privateNetworks = [
  'GET /private-network/',
  'POST /private-network/',
  'GET /private-network/locations/',
  'DELETE /private-network/{id}/',
];
const ds = [
  'GET /orders/ds/',
  'GET /orders/ds/{order_id}/',
  'GET /orders/ds/{order_id}/traffic/',
  'GET /orders/ds/{order_id}/traffic_used/',
];
const sshKeys = [
  'GET /ssh_keys/',
  'POST /ssh_keys/',
  'DELETE /ssh_keys/{key_id}/',
  'GET /vps/{order_id}/ssh_keys/',
  'POST /vps/{order_id}/ssh_keys/add/',
  'POST /vps/{order_id}/ssh_keys/delete/',
];
const network = ['GET /network/ip-address/'];
const s3 = [
  'GET /orders/s3/',
  // The same operation again, for its secret key only.
  'GET /orders/s3/{order_id}/',
  'GET /orders/s3/{order_id}/',
  'PUT /orders/s3/{order_id}/notification_threshold/',
];
const tickets = ['POST /tickets/ticket/', 'GET /tickets/webhook_info/', 'POST /tickets/webhook_set/'];
const dns = [
  'GET /dns/domain/',
  'POST /dns/domain/',
  'DELETE /dns/domain/{name}/',
  'PUT /dns/domain/{name}/tags/',
  'GET /dns/domain/{name}/zone_file/',
  'GET /dns/domain/{name}/entry_set/',
  'POST /dns/domain/{name}/entry_set/',
  'PUT /dns/domain/{name}/entry_set/{id}/',
  'DELETE /dns/domain/{name}/entry_set/{id}/',
];
const domainOrders = ['POST /dns/order/{order_id}/change_ns/'];

const rows = Object.values(table).flatMap((area) => Object.values(area));

test('the table has all 75 operations, each in its area', () => {
  const routes = Object.fromEntries(
    Object.entries(table).map(([area, endpoints]) => [
      area,
      Object.values(endpoints)
        .map(({ route }) => route)
        .sort(),
    ]),
  );
  const expected = {
    account,
    plans,
    projects,
    orders,
    vpsOrders,
    reinstall,
    vps,
    privateNetworks,
    ds,
    dns,
    domainOrders,
    sshKeys,
    network,
    s3,
    tickets,
  };
  expect(routes).toEqual(Object.fromEntries(Object.entries(expected).map(([area, list]) => [area, list.sort()])));
  expect(new Set(rows.map(({ route }) => route)).size).toBe(75);
  // One more row than operations: the one that gives out a secret.
  expect(rows).toHaveLength(76);
  expect(rows.filter((row) => 'reveals' in row).map(({ route }) => route)).toEqual(['GET /orders/s3/{order_id}/']);
});

test('every operation that is not a GET counts as a write', () => {
  for (const { route, effect } of rows)
    expect([route, effect]).toEqual([route, route.startsWith('GET ') ? 'read' : 'write']);
});

test('the paginated lists are those of the document', () => {
  const paginated = rows.filter((row) => 'paginated' in row).map(({ route }) => route);
  expect(paginated.sort()).toEqual([
    'GET /dns/domain/',
    'GET /orders/',
    'GET /orders/ds/',
    'GET /orders/s3/',
    'GET /orders/vps/',
    'GET /private-network/',
    'GET /private-network/locations/',
    'GET /project/',
    'GET /vps/{order_id}/reinstall/apps/',
    'GET /vps/{order_id}/reinstall/snapshots/',
    'GET /vps/{order_id}/reinstall/templates/',
  ]);
});

test('each input has the keys of its route', () => {
  for (const { route, input } of rows) {
    for (const [, key = ''] of route.matchAll(/\{(\w+)\}/g)) expect(Object.keys(input.shape), route).toContain(key);
  }
});

test('the simulated provider serves exactly these operations', () => {
  expect(served.map(({ route }) => route).toSorted()).toEqual([...new Set(rows.map(({ route }) => route))].toSorted());
});

test('each operation is used by a command, and the documentation names that command', () => {
  const lines = operationTable().split('\n').slice(2);
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const routes = [...new Set(rows.map(({ route }) => String(route)))];
  expect(cells.map(([, route]) => route).toSorted()).toEqual(routes.toSorted());
  expect(cells.filter(([, , commands]) => commands === '–').map(([, route]) => route)).toEqual([]);
  // An operation belongs to the command that reaches it, not to other code of the same file.
  const commandsOf = (wanted: string) => cells.find(([, route]) => route === wanted)?.[2];
  expect(commandsOf('PATCH /orders/{order_id}/')).toBe('move, rename, tag');
  expect(commandsOf('POST /vps/{order_id}/ssh_keys/add/')).toBe('reinstall, ssh-key link');
});
