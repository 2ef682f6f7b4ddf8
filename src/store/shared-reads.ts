import { createBatcher } from './batcher.ts';

/**
 * Sharing cuts an operation on PostgreSQL from 35 ms of processor time to 27 (`npm run bench -- durable-postgres`, in
 * turns, on a busy machine); SQLite shows no difference.
 *
 * Calls in one turn of the event loop, or while a read is under way, share the next read, which always begins after the
 * call.
 */
export function createSharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  const batcher = createBatcher(
    async (callers: undefined[]) => {
      const result = await read();
      return callers.map(() => result);
    },
    { maxItems: Number.POSITIVE_INFINITY },
  );
  return () => batcher.add(undefined);
}

/** A shared read by key: one statement reads all keys of the same moment. */
export function createKeyedRead<T>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  const batcher = createBatcher(
    async (keys: string[]) => {
      const result = await read([...new Set(keys)].sort());
      return keys.map((key) => result.get(key));
    },
    { maxItems: 200 },
  );
  return (key) => batcher.add(key);
}
