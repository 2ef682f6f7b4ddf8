import { StoreUnavailable } from '../core/view/errors.ts';

interface Waiting<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Batching cuts an operation on SQLite from 22 commits to 3, and from 42 ms of processor time to 18 (`npm run bench --
 * durable-sqlite`, in turns, on a busy machine).
 *
 * Group commit: items that arrive in one turn of the event loop, or during a flush, share the next flush. A single item
 * does not wait. `flush` must be all or nothing, since a failed flush is repeated item by item. `restMs` is the pause
 * after a flush of more than two items, in which the next items gather. With 5 ms for the inbox and the audit a read under
 * load takes 0.7 to 0.9 ms of processor time instead of 1.0 to 1.4 (`npm run bench -- rate`, `version`).
 */
export function createBatcher<I, O>(
  { maxItems = 200, restMs = 0 }: { maxItems?: number; restMs?: number },
  flush: (items: I[]) => Promise<readonly O[]>,
) {
  let restUntil = 0;
  let queue: Waiting<I, O>[] = [];
  let flushing: Promise<void> | undefined;

  const flushOnce = async (batch: Waiting<I, O>[]) => {
    try {
      const results = await flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${batch.length} items flushed, ${results.length} results`);
      // The check above makes sure that each item has a result.
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      // The whole flush was rolled back, so each item is flushed alone. After a broken connection the rollback is not
      // certain, so nothing is repeated.
      if (batch.length > 1 && !(error instanceof StoreUnavailable)) for (const item of batch) await flushOnce([item]);
      else for (const { reject } of batch) reject(error);
    }
  };
  const flushAll = async () => {
    while (queue.length > 0) {
      // Callers that add more right after a flush join the next one.
      await new Promise((resolve) => setImmediate(resolve));
      const leftMs = restUntil - performance.now();
      if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
      const batch = queue.slice(0, maxItems);
      queue = queue.slice(maxItems);
      await flushOnce(batch);
      if (batch.length > 2) restUntil = performance.now() + restMs;
    }
    flushing = undefined;
  };

  return {
    add(item: I): Promise<O> {
      const { promise, resolve, reject } = Promise.withResolvers<O>();
      queue.push({ item, resolve, reject });
      flushing ??= flushAll();
      return promise;
    },
    /** Resolves when everything that was added is flushed. */
    async drain(): Promise<void> {
      while (flushing !== undefined) await flushing;
    },
  };
}
