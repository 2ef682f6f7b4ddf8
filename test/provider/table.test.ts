import { expect, test } from 'vitest';
import { routes as served } from '../../sandbox/provider/routes/all.ts';
import { effectOf } from '../../src/provider/endpoint.ts';
import { table } from '../../src/provider/table.ts';
import { operationTable } from '../docs/operation-table.ts';

const rows = Object.values(table).flatMap((area) => Object.values(area));

// Two readings of one specification, made apart: the client's and the simulator's.
test('the table has all 75 operations, which the simulated provider serves', () => {
  const routes = [...new Set(rows.map(({ route }) => route))];
  expect(routes.toSorted()).toEqual(served.map(({ route }) => route).toSorted());
  expect(routes).toHaveLength(75);
  // One more row than operations: the one that gives out a secret.
  expect(rows).toHaveLength(76);
  expect(rows.filter((row) => 'reveals' in row).map(({ route }) => route)).toEqual(['GET /orders/s3/{order_id}/']);
});

test('every operation that is not a GET counts as a write', () => {
  for (const { route } of rows)
    expect([route, effectOf(route)]).toEqual([route, /^GET /.test(route) ? 'read' : 'write']);
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

test('each operation is used by a command, and the documentation names that command', () => {
  const lines = operationTable().split('\n').slice(2);
  const cells = lines.flatMap((line) => {
    const [, operations = '', commands = ''] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return operations.split(', ').map((route) => ({ route, commands }));
  });
  const routes = [...new Set(rows.map(({ route }) => String(route)))];
  expect(cells.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
  expect(cells.filter(({ commands }) => commands === '–').map(({ route }) => route)).toEqual([]);
  // An operation belongs to the command that reaches it, not to other code of the same file.
  const commandsOf = (wanted: string) => cells.find(({ route }) => route === wanted)?.commands;
  expect(commandsOf('PATCH /orders/{order_id}/')).toBe('move; rename; tag');
  expect(commandsOf('POST /vps/{order_id}/ssh_keys/add/')).toBe('reinstall; ssh-key link');
});
