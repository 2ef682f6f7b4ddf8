export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs the work of each key one after another, in order; an error does not stop the next. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}

/** Waits for all earlier work; resolves with the function that ends this work, which is more than one promise. */
export function enterQueue(queue: KeyedQueue, key: string): Promise<() => void> {
  return new Promise((begin, fail) => {
    queue(key, () => new Promise<void>((end) => begin(end))).catch(fail);
  });
}
