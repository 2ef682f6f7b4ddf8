export interface Mutex {
  /** Waits for everybody who came earlier; the result ends the turn. */
  take(): Promise<() => void>;
}

/** First come, first served. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return {
    async take() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      return resolve;
    },
  };
}
