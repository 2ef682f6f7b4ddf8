import { createBatcher } from './batcher.ts';

/**
 * Sharing cuts an operation on PostgreSQL from 35 ms of processor time to 27 (`npm run bench -- durable-postgres`, in turns,
 * on a busy machine); SQLite shows no difference.
 *
 * A read that begins after the call: calls in one turn of the event loop, or while a read is under way, share the next
 * one.
 */
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

/** The same by key: all keys of one moment are read with one statement. */
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
