export interface Batcher<I, O> {
  add(item: I): Promise<O>;
  /** Resolves when everything that was added is flushed. */
  drain(): Promise<void>;
}

interface Waiting<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

const longestRestMs = 25;

/**
 * Group commit: what arrives in one turn of the event loop, or while a flush is under way, shares a flush. An item alone
 * waits for nobody. `restShare` is for engines that block while they commit: after a flush comes a rest so many times as
 * long, so that under load fewer and larger flushes leave the event loop to everybody else. After an item alone it comes
 * with `restsAlone` only: the steps of one operation, one after the other, are no crowd.
 */
export function createBatcher<I, O>(
  flush: (items: I[]) => Promise<O[]>,
  { maxItems, restShare = 0, restsAlone = false }: { maxItems: number; restShare?: number; restsAlone?: boolean },
): Batcher<I, O> {
  let queue: Waiting<I, O>[] = [];
  let flushing: Promise<void> | undefined;
  let restUntil = 0;

  const flushOnce = async (batch: Waiting<I, O>[]) => {
    const startedAt = performance.now();
    try {
      const results = await flush(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${batch.length} items flushed, ${results.length} results`);
      results.forEach((result, index) => {
        batch[index]?.resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const endedAt = performance.now();
    const isCrowd = batch.length > 1 || restsAlone;
    restUntil = !isCrowd ? 0 : endedAt + Math.min(longestRestMs, (endedAt - startedAt) * restShare);
  };
  const flushAll = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const restMs = restUntil - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      const batch = queue.slice(0, maxItems);
      queue = queue.slice(maxItems);
      await flushOnce(batch);
    }
    flushing = undefined;
  };

  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<O>();
      queue.push({ item, resolve, reject });
      flushing ??= flushAll();
      return promise;
    },
    async drain() {
      while (flushing !== undefined) await flushing;
    },
  };
}
