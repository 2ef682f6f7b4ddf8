import { describe, expect, onTestFinished, test } from 'vitest';
import { startProvider } from '../../sandbox/provider/server.ts';
import { compareShapes } from '../../src/cli/drift.ts';
import recordedShapes from '../../src/provider/recorded-shapes.json' with { type: 'json' };
import { differencesOf, shapeOf } from '../../src/provider/shape.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { seenShapes } from './seen-shapes.ts';

describe('shapes', () => {
  test('hold types and no values', () => {
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
    ['a new field', { id: 1, name: 'a', cost: 2 }, ['`cost` (number) is not recorded']],
    ['a missing field', { id: 1 }, ['`name` is missing']],
    ['another type', { id: '1', name: 'a' }, ['`id` is string; recorded: number']],
    ['the same', { id: 2, name: 'b' }, []],
  ])('%s', (_, answer, differences) => {
    expect(differencesOf(shapeOf({ id: 1, name: 'a' }), shapeOf(answer))).toEqual(differences);
  });

  test('an empty list says nothing of its items', () => {
    expect(differencesOf(shapeOf({ results: [{ id: 1 }] }), shapeOf({ results: [] }))).toEqual([]);
    expect(differencesOf(shapeOf({ results: [] }), shapeOf({ results: [{ id: 1 }] }))).toEqual([]);
  });
});

test('the simulated provider answers in the recorded shapes', async () => {
  expect(await seenShapes()).toEqual(recordedShapes);
});

test('an account that answers otherwise is told by field, without a value', async () => {
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
  expect(lines).toContain('✕ GET /account/balance: `credit_limit` (string) is not recorded');
  expect(lines.join('\n')).not.toContain('canary');
  expect(lines.filter((line) => line.startsWith('✕'))).toHaveLength(1);
  expect(await compareShapes(transport, () => undefined)).toBe(0);
});
