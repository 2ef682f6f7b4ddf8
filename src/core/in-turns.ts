/** Long work that yields now and then: in between, the event loop answers everybody else. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Few enough that the work on them is over in some milliseconds. */
const inOneTurn = 200;

export function mapInTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  return inTurns(
    (function* () {
      const results: R[] = [];
      for (const item of items) {
        results.push(work(item));
        if (results.length % inOneTurn === 0) yield;
      }
      return results;
    })(),
  );
}
