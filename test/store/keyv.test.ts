import KeyvSuite, { keyvIteratorTests } from '@keyv/test-suite';
import Keyv from 'keyv';
import * as vitest from 'vitest';
import { describe, expect } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { createKeyvAdapter, openKeyv, readAll } from '../../src/store/keyv.ts';
import { onEachEngine, test } from './conformance.ts';

onEachEngine('the Keyv adapter', (rig) => {
  describe('@keyv/test-suite', () => {
    KeyvSuite(vitest, Keyv, () => createKeyvAdapter(rig().store, 'policy'));
    keyvIteratorTests(vitest, Keyv, () => createKeyvAdapter(rig().store, 'policy'));
  });

  test('a Keyv neither sees nor clears the values of another kind', async ({ store }) => {
    await store.values.write('favorites', { U1: { orders: ['34-1'] } }, 1);
    const homes = openKeyv(store, 'home');
    await homes.set('U1', { at: 1, filter: 'all', page: 1 });
    expect(await readAll(homes)).toEqual(new Map([['U1', { at: 1, filter: 'all', page: 1 }]]));
    await homes.clear();
    expect(await homes.get('U1')).toBeUndefined();
    expect(await store.values.get('favorites', 'U1')).toEqual({ orders: ['34-1'] });
  });

  test('when twenty callers replace the same version, one succeeds', async () => {
    /** Each has read before one writes. */
    const replaceAll = async (versionOf: (n: number) => number) => {
      const all = Array.from({ length: 20 }, () => openKeyv(rig().store, 'policy', { isCompared: true }));
      const before = await Promise.all(all.map((keyv) => keyv.get('C1')));
      const policies = all.map((_, n) => policySchema.parse({ version: versionOf(n) }));
      return Promise.all(
        all.map((keyv, n) =>
          keyv.set('C1', { posture: null, ...before[n], policy: policies[n] ?? policySchema.parse({}) }),
        ),
      );
    };
    const first = await replaceAll(() => 1);
    expect(first.filter(Boolean)).toHaveLength(1);
    const next = await replaceAll((n) => n + 2);
    expect(next.filter(Boolean)).toHaveLength(1);
    expect((await openKeyv(rig().store, 'policy').get('C1'))?.policy.version).toBe(next.indexOf(true) + 2);
    // Without a read it writes only where there is no value.
    const unread = openKeyv(rig().store, 'policy', { isCompared: true });
    expect(await unread.set('C1', { posture: null, policy: policySchema.parse({}) })).toBe(false);
  });

  test('a value that the schema does not accept throws, alone and in the list', async () => {
    await createKeyvAdapter(rig().store, 'protection').set('order:34-1', '{"later":true}');
    await expect(openKeyv(rig().store, 'protection').get('order:34-1')).rejects.toThrow('target');
    await expect(readAll(openKeyv(rig().store, 'protection'))).rejects.toThrow('target');
  });
});
