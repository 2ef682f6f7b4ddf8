/** Does long work in slices: in between, the event loop answers everybody else. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Few enough that the work on them is over in some milliseconds. */
export const inOneSlice = 200;

export function mapInSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  return inSlices(
    (function* () {
      const results: R[] = [];
      for (const item of items) {
        results.push(work(item));
        if (results.length % inOneSlice === 0) yield;
      }
      return results;
    })(),
  );
}
