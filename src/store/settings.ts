import Keyv from 'keyv';
import type { Json } from '../core/json.ts';
import type { Store } from './database.ts';
import { createKeyvAdapter } from './keyv.ts';

/** Settings that people make, such as channel policies, in Keyv: one space per kind, changed only by compare-and-set. */
export interface Settings {
  /** Shared by all who read it: not to be changed. */
  readonly get: (key: string) => Promise<Json | undefined>;
  readonly all: () => Promise<ReadonlyMap<string, Json>>;
  /** Writes `next` only if what stands there is still what was read; `undefined` means nothing stands there. */
  readonly change: (key: string, next: (before: Json | undefined) => Json | undefined) => Promise<boolean>;
}

export function createSettings(store: Store, space: string): Settings {
  const adapter = createKeyvAdapter(store, { namespace: space });
  // Without throwOnErrors an unreachable database would read as "no policy": the right answer for the wrong reason.
  const keyv = new Keyv<Json>({ store: adapter, useKeyPrefix: false, throwOnErrors: true });

  async function decode(text: string): Promise<Json | undefined> {
    return (await keyv.deserializeData<Json>(text))?.value;
  }

  /** What a text was decoded to: read each time, and decoded again only when it is another. */
  const decoded = new Map<string, { readonly text: string; readonly value: Json | undefined }>();

  return {
    get: async (key) => {
      const text = await adapter.getText(key);
      if (text === undefined) return undefined;
      const known = decoded.get(key);
      if (known?.text === text) return known.value;
      const value = await decode(text);
      decoded.set(key, { text, value });
      return value;
    },
    all: async () => {
      const found = new Map<string, Json>();
      for (const { key, value } of await adapter.listByPrefix('')) {
        const json = await decode(value);
        if (json !== undefined) found.set(key, json);
      }
      return found;
    },
    change: async (key, next) => {
      const text = await adapter.getText(key);
      const value = next(text === undefined ? undefined : await decode(text));
      if (value === undefined) return false;
      return adapter.compareAndSet(key, text, String(await keyv.serializeData({ value })));
    },
  };
}
