import Keyv, { type KeyvStoreAdapter } from 'keyv';
import type { Store } from './database.ts';
import type { ValueKind, ValueOf } from './records/value-kinds.ts';
import { parseValue } from './records/values.ts';

/**
 * A store for Keyv 5: the values of one kind. Values that expire are left to Keyv, which stores the time with them. With
 * `isCompared`, `set` writes only if the stored value is still the one that `get` read, and says whether it wrote.
 */
export function createKeyvAdapter(
  { values, engine }: Pick<Store, 'values' | 'engine'>,
  kind: ValueKind,
  { isCompared = false }: { readonly isCompared?: boolean } = {},
): KeyvStoreAdapter {
  const seen = new Map<string, string | undefined>();
  const prefixOf = (namespace = '') => (namespace === '' ? '' : `${namespace}:`);
  const adapter: KeyvStoreAdapter = {
    // Keyv offers its iterator only for dialects that it knows by name.
    opts: { dialect: engine, url: '' },
    namespace: undefined,
    on: () => adapter,
    async get<Value>(key: string) {
      const text = await (isCompared ? values.getTextNow : values.getText)(kind, key);
      if (isCompared) seen.set(key, text);
      // Keyv types a value as its caller expects it. The stored value is always text, which Keyv deserializes.
      return text as Value | undefined;
    },
    async set(key: string, text: string) {
      if (isCompared) return values.replace(kind, key, seen.get(key), text);
      await values.setText(kind, key, text);
      return true;
    },
    delete: (key) => values.remove(kind, key),
    clear: () => values.clear(kind, prefixOf(adapter.namespace)),
    async *iterator<Value>(namespace?: string) {
      for (const { key, value } of await values.listTexts(kind))
        if (key.startsWith(prefixOf(namespace))) yield [key, value as Awaited<Value>];
    },
  };
  return adapter;
}

/** Keyv with the values of one kind, parsed by its schema. Callers share a value and must not change it. */
export function openKeyv<Kind extends ValueKind>(
  store: Pick<Store, 'values' | 'engine'>,
  kind: Kind,
  options?: { readonly isCompared?: boolean },
): Keyv<ValueOf<Kind>> {
  return new Keyv<ValueOf<Kind>>({
    store: createKeyvAdapter(store, kind, options),
    // The keys stay unchanged, since others read them too.
    namespace: '',
    useKeyPrefix: false,
    // Without it an unreachable database would read as "no value".
    throwOnErrors: true,
    serialize: ({ value }) => JSON.stringify(value),
    // Keyv asks for a value of any type; this store has those of the kind only.
    deserialize: <Value>(text: string) => ({ value: parseValue(kind, text) as Value }),
  });
}

/** All values of a Keyv, by key. Throws if this version cannot read one of them. */
export async function readAll<T>(keyv: Keyv<T>): Promise<ReadonlyMap<string, T>> {
  if (keyv.iterator === undefined) throw new Error('Keyv does not list its values');
  return new Map(await Array.fromAsync<[string, T]>(keyv.iterator(undefined)));
}
