import type { KeyvStoreAdapter } from 'keyv';
import type { Store } from './database.ts';

const pageSize = 200;
/** SQLite allows 32,766 parameters; an entry has four. */
const maxEntries = 1_000;

interface KeyvAdapter extends KeyvStoreAdapter {
  namespace: string | undefined;
  /** Keys as Keyv writes them (`namespace:key`) and values as Keyv serialized them, in the order of the keys. */
  listByPrefix(prefix: string): Promise<{ key: string; value: string }[]>;
  /**
   * Writes `next` only if the stored text is `expected` (undefined: no entry). Both are texts as Keyv stores them:
   * `await adapter.compareAndSet('ns:C1', await adapter.get('ns:C1'), await keyv.serializeData({ value }))`.
   */
  compareAndSet(key: string, expected: string | undefined, next: string): Promise<boolean>;
  getText(key: string): Promise<string | undefined>;
}

/**
 * A store for Keyv 5. Nothing outside of `namespace` is read or written, not even by `clear`; Keyv's own namespace
 * prefixes the keys inside of it. Make the Keyv with `throwOnErrors: true`: without it an unreachable database reads as
 * "no value".
 */
export function createKeyvAdapter(store: Store, { namespace: space = '' }: { namespace?: string } = {}): KeyvAdapter {
  const { entries, engine, now } = store;
  const entry = (key: string, value: string, ttl: number | undefined) => ({
    key,
    value,
    expiresAt: ttl === undefined || ttl === 0 ? null : now() + ttl,
  });
  const getText = (key: string) => entries.getOne(space, key);

  const adapter: KeyvAdapter = {
    // Keyv offers its iterator only for dialects that it knows by name.
    opts: { dialect: engine, url: '' },
    namespace: undefined,
    on: () => adapter,
    getText,
    // Keyv types a value as its caller expects it. The stored value is always text, which Keyv deserializes.
    get: async <Value>(key: string) => (await getText(key)) as Value | undefined,
    async getMany<Value>(keys: string[]) {
      const values = await entries.get(space, keys);
      return keys.map((key) => values.get(key) as Value | undefined);
    },
    async set(key: string, value: string, ttl?: number) {
      await entries.set(space, [entry(key, value, ttl)]);
      return true;
    },
    async setMany(values) {
      for (let start = 0; start < values.length; start += maxEntries) {
        const some = values.slice(start, start + maxEntries);
        await entries.set(
          space,
          some.map(({ key, value, ttl }) => entry(key, value, ttl)),
        );
      }
    },
    delete: async (key) => (await entries.delete(space, [key])) > 0,
    deleteMany: async (keys) => (await entries.delete(space, keys)) > 0,
    clear: () => entries.clear(space, adapter.namespace === undefined ? '' : `${adapter.namespace}:`),
    has: async (key) => (await getText(key)) !== undefined,
    async hasMany(keys) {
      const values = await entries.get(space, keys);
      return keys.map((key) => values.has(key));
    },
    async *iterator<Value>(namespace?: string) {
      const prefix = namespace === undefined ? '' : `${namespace}:`;
      let after: string | undefined;
      do {
        const page = await entries.list(space, prefix, { limit: pageSize, ...(after !== undefined && { after }) });
        for (const { key, value } of page) yield [key, value as Awaited<Value>];
        after = page.length < pageSize ? undefined : page.at(-1)?.key;
      } while (after !== undefined);
    },
    async listByPrefix(prefix) {
      const all: { key: string; value: string }[] = [];
      for (;;) {
        const after = all.at(-1)?.key;
        const page = await entries.list(space, prefix, { limit: pageSize, ...(after !== undefined && { after }) });
        all.push(...page);
        if (page.length < pageSize) return all;
      }
    },
    compareAndSet: (key, expected, next) => entries.compareAndSet(space, key, expected, next),
  };
  return adapter;
}
