/** Works on all items in order, at most `limit` at a time. After an error, starts none, and rejects at the end. */
export async function eachAtMost<T>(limit: number, items: Iterable<T>, work: (item: T) => Promise<void>) {
  const waiting = items[Symbol.iterator]();
  let hasFailed = false;
  const worker = async () => {
    for (let next = waiting.next(); !next.done && !hasFailed; next = waiting.next()) {
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
