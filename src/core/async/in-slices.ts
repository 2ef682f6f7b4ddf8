/** Does long work in slices, between which the event loop handles other work. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}

/** The first immediate after an event still comes before the next event and before any timer. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Few enough to be done in some milliseconds. */
export const inOneSlice = 200;

/** The slices are also small enough for the parameters of a statement, which both databases limit. */
export function* slicesOf<T>(all: readonly T[], size = inOneSlice): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
const sliceMs = 10;

export function mapInSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  return inSlices(
    (function* () {
      const results: R[] = [];
      let since = performance.now();
      for (const item of items) {
        results.push(work(item));
        if (performance.now() - since < sliceMs) continue;
        yield;
        since = performance.now();
      }
      return results;
    })(),
  );
}
