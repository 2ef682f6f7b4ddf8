import KeyvSuite, { keyvIteratorTests } from '@keyv/test-suite';
import Keyv from 'keyv';
import * as vitest from 'vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/database.ts';
import { createKeyvAdapter } from '../../src/store/keyv.ts';
import { engines, freshDatabase, type TestDatabase } from '../support/databases.ts';

describe.each(engines)('the Keyv adapter on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    store = await openStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  describe('@keyv/test-suite', () => {
    KeyvSuite(vitest, Keyv, () => createKeyvAdapter(store));
    keyvIteratorTests(vitest, Keyv, () => createKeyvAdapter(store));
  });

  const open = (space: string, namespace?: string) => {
    const adapter = createKeyvAdapter(store, { namespace: space });
    const keyv = new Keyv({ store: adapter, throwOnErrors: true, ...(namespace !== undefined && { namespace }) });
    return { adapter, keyv };
  };

  test('an adapter neither sees nor clears the values of another namespace', async () => {
    const policies = open('policies');
    const settings = open('settings');
    await policies.keyv.set('C1', { grants: [] });
    await settings.keyv.set('C1', 'setting');
    await settings.keyv.clear();
    expect(await settings.keyv.get('C1')).toBeUndefined();
    expect(await policies.keyv.get('C1')).toEqual({ grants: [] });
  });

  test('keys are listed by prefix, with any characters in them', async () => {
    const { keyv, adapter } = open('prefixes', 'p');
    const names = ['C1', 'C1:x', 'C%', 'c1', 'C_', 'Cä', 'C🚀', 'D1'];
    await keyv.setMany(names.map((key) => ({ key, value: key })));
    const under = async (prefix: string) => (await adapter.listByPrefix(prefix)).map(({ key }) => key);
    expect(await under('p:C1')).toEqual(['p:C1', 'p:C1:x']);
    expect(await under('p:C%')).toEqual(['p:C%']);
    expect((await under('p:C')).length).toBe(6);
    expect(await under('p')).toHaveLength(8);
    expect(await under('q')).toEqual([]);
  });

  test('more values than a page are listed and iterated completely', async () => {
    const { keyv, adapter } = open('many', 'n');
    const many = Array.from({ length: 1234 }, (_, n) => ({ key: `k${n}`, value: n }));
    await keyv.setMany(many);
    expect(await adapter.listByPrefix('n:')).toHaveLength(1234);
    let sum = 0;
    for await (const [, value] of keyv.iterator?.(undefined) ?? []) sum += value;
    expect(sum).toBe((1233 * 1234) / 2);
    expect(await keyv.getMany(['k5', 'nope', 'k1233'])).toEqual([5, undefined, 1233]);
    expect(await adapter.hasMany?.(['n:k5', 'n:nope'])).toEqual([true, false]);
  });

  test('when twenty callers replace the same version, one succeeds', async () => {
    const { keyv, adapter } = open('versions', 'policy');
    const text = async (version: number) => String(await keyv.serializeData({ value: { version } }));
    const replace = async (expected: string | undefined, version: number) =>
      adapter.compareAndSet('policy:C1', expected, await text(version));
    const first = await Promise.all(Array.from({ length: 20 }, () => replace(undefined, 1)));
    expect(first.filter(Boolean)).toHaveLength(1);
    const present = await adapter.getText('policy:C1');
    const next = await Promise.all(Array.from({ length: 20 }, (_, n) => replace(present, n + 2)));
    expect(next.filter(Boolean)).toHaveLength(1);
    expect(await keyv.get('C1')).toEqual({ version: next.indexOf(true) + 2 });
    expect(await replace(undefined, 99)).toBe(false);
  });

  test('an expired value counts as missing, and is pruned', async () => {
    const { keyv, adapter } = open('expiry', 'e');
    await keyv.set('short', 'x', 1);
    await vitest.expect.poll(() => adapter.has?.('e:short')).toBe(false);
    expect(await adapter.listByPrefix('e:')).toEqual([]);
    expect(await adapter.compareAndSet('e:short', undefined, '{"value":"y"}')).toBe(true);
    expect(await keyv.get('short')).toBe('y');
    await keyv.set('short', 'x', 1);
    await vitest.expect.poll(() => adapter.has?.('e:short')).toBe(false);
    expect(await store.entries.prune(Date.now() + 1)).toBeGreaterThanOrEqual(1);
  });
});
