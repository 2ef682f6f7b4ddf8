import { describe, expect, onTestFinished, test } from 'vitest';
import { startProvider } from '../../sandbox/provider/server.ts';
import { compareShapes } from '../../src/cli/drift.ts';
import { documented } from '../../src/provider/documented.ts';
import { differencesOf, shapeOf } from '../../src/provider/shape.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { seenShapes } from './seen-shapes.ts';

describe('the comparison of shapes', () => {
  test('a shape has types and no values', () => {
    expect(shapeOf({ id: 7, tags: ['a', null], names: { '192.0.2.1': 'secret.example' } }, { id: 'x' })).toEqual({
      '': 'object',
      id: 'number | string',
      names: 'object',
      'names.*': 'string',
      tags: 'array',
      'tags[]': 'null | string',
    });
  });

  test.each([
    ['a new field', { id: 1, name: 'a', cost: 2 }, ['`cost` (number) is not documented']],
    ['a missing field', { id: 1 }, ['`name` is missing']],
    ['another type', { id: '1', name: 'a' }, ['`id` is string; documented: number']],
    ['the same', { id: 2, name: 'b' }, []],
  ])('the differences are found when a response has %s', (_, answer, differences) => {
    expect(differencesOf(shapeOf({ id: 1, name: 'a' }), shapeOf(answer))).toEqual(differences);
  });

  test('an empty list has no differences in its items', () => {
    expect(differencesOf(shapeOf({ results: [{ id: 1 }] }), shapeOf({ results: [] }))).toEqual([]);
    expect(differencesOf(shapeOf({ results: [] }), shapeOf({ results: [{ id: 1 }] }))).toEqual([]);
  });
});

describe('the documented shapes', () => {
  test('the simulated provider responds with the documented shape to every read but one, for which it has no server', async () => {
    const seen = await seenShapes();
    const differences = Object.entries(seen).flatMap(([route, shape]) =>
      differencesOf(documented[route as keyof typeof documented] ?? {}, shape).map((one) => `${route}: ${one}`),
    );
    expect(differences).toEqual([]);
    expect(Object.keys(documented).filter((route) => seen[route] === undefined)).toEqual([
      'GET /orders/ds/{order_id}/traffic_used/',
    ]);
  });

  const pageOf = (item: unknown) => ({
    count: 30,
    next: 'https://hosting.example/page=2',
    previous: null,
    results: [item],
  });
  test.each([
    ['GET /project/', pageOf({ id: 1, name: 'a', logo: '' })],
    ['GET /ssh_keys/', [{ id: 1, user: 'a', key: 'ssh-rsa', title: 'b', date: '2026-01-01' }]],
    ['GET /tickets/webhook_info/', { last_error_date: '2026-01-01', last_error_message: 'refused' }],
  ] as const)('%s is accepted with values that the simulated provider does not show', (route, answer) => {
    expect(differencesOf(documented[route] ?? {}, shapeOf(answer))).toEqual([]);
  });
});

test('a different response of an account is reported by field, without a value', async () => {
  const provider = await startProvider();
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  onTestFinished(async () => {
    await transport.close();
    await provider.close();
  });
  const lines: string[] = [];
  const changed = {
    send: async (request: Parameters<typeof transport.send>[0]) => {
      const answer = await transport.send(request);
      return request.endpoint === 'GET /account/balance' ? { ...Object(answer), credit_limit: 'canary-5000' } : answer;
    },
  };
  expect(await compareShapes(changed, (line) => lines.push(line))).toBe(1);
  expect(lines).toContain('✕ GET /account/balance: `credit_limit` (string) is not documented');
  expect(lines.join('\n')).not.toContain('canary');
  expect(lines.filter((line) => line.startsWith('✕'))).toHaveLength(1);
  expect(await compareShapes(transport, () => undefined)).toBe(0);
});
