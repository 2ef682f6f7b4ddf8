export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs work one after another for each key, first come first served; an error does not stop the next. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Waits until everything before it in the queue is over and resolves with the function that ends it: for work that is no single promise. */
export function enterQueue(queue: KeyedQueue, key: string): Promise<() => void> {
  return new Promise((begin, fail) => {
    queue(key, () => new Promise<void>((end) => begin(end))).catch(fail);
  });
}
