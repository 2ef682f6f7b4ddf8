import Keyv from 'keyv';
import type { z } from 'zod';
import type { Store } from './database.ts';
import { createKeyvAdapter } from './keyv.ts';
import { createSharedRead } from './shared-reads.ts';

/** People's settings, such as channel policies, in Keyv: one space per kind, changed only by compare-and-set. */
interface SettingsStore<T> {
  /** Callers share the value and must not change it. */
  readonly get: (key: string) => Promise<T | undefined>;
  /** Throws if this version cannot read one of the values. */
  readonly all: () => Promise<ReadonlyMap<string, T>>;
  /** Reads each value separately, for callers that can continue without unreadable values. */
  readonly each: () => Promise<ReadOnes<T>>;
  /** Writes `next` only if the stored value is still the one that was read; `undefined` means no value. */
  readonly change: (key: string, next: (before: T | undefined) => T | undefined) => Promise<boolean>;
}

export interface ReadOnes<T> {
  readonly values: ReadonlyMap<string, T>;
  /** The errors of unreadable values, by key. */
  readonly errors: ReadonlyMap<string, unknown>;
}

/** Reads stored values with the schema. */
export function createSettings<T>(store: Store, space: string, schema: z.ZodType<T>): SettingsStore<T> {
  const adapter = createKeyvAdapter(store, { namespace: space });
  // Without throwOnErrors an unreachable database would read as "no policy".
  const keyv = new Keyv<T>({ store: adapter, useKeyPrefix: false, throwOnErrors: true });

  /** Decoded values by key. The text is read each time, and decoded again only if it has changed. */
  const decoded = new Map<string, { readonly text: string; readonly value: T | undefined }>();

  async function read(key: string, text: string): Promise<T | undefined> {
    const cached = decoded.get(key);
    if (cached?.text === text) return cached.value;
    const stored = (await keyv.deserializeData<unknown>(text))?.value;
    const value = stored === undefined ? undefined : schema.parse(stored);
    decoded.set(key, { text, value });
    return value;
  }

  const each = createSharedRead(async (): Promise<ReadOnes<T>> => {
    const values = new Map<string, T>();
    const errors = new Map<string, unknown>();
    for (const { key, value: text } of await adapter.listByPrefix('')) {
      try {
        const value = await read(key, text);
        if (value !== undefined) values.set(key, value);
      } catch (error) {
        errors.set(key, error);
      }
    }
    return { values, errors };
  });

  return {
    get: async (key) => {
      const text = await adapter.getText(key);
      return text === undefined ? undefined : read(key, text);
    },
    all: async () => {
      const { values, errors } = await each();
      for (const error of errors.values()) throw error;
      return values;
    },
    each,
    change: async (key, next) => {
      const text = await adapter.getText(key);
      const value = next(text === undefined ? undefined : await read(key, text));
      if (value === undefined) return false;
      return adapter.compareAndSet(key, text, String(await keyv.serializeData({ value })));
    },
  };
}
