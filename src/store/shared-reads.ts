import { createBatcher } from './batcher.ts';

/** A reading begun after it was asked for: those who ask in one turn of the event loop, or while one is under way, share the next. */
export function createSharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  const batcher = createBatcher(
    async (askers: undefined[]) => {
      const found = await read();
      return askers.map(() => found);
    },
    { maxItems: Number.POSITIVE_INFINITY },
  );
  return () => batcher.add(undefined);
}

/** The same by key: all keys that are asked for together are one question. */
export function createKeyedRead<T>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  const batcher = createBatcher(
    async (keys: string[]) => {
      const found = await read([...new Set(keys)].sort());
      return keys.map((key) => found.get(key));
    },
    { maxItems: 200 },
  );
  return (key) => batcher.add(key);
}
