/** At most `limit` holders at a time; who came first goes first. Nobody else gets in once it closes. */
export function createSlots(limit: number, closing: AbortSignal) {
  let free = limit;
  /** Who waits, with the way out. */
  const waiting = new Map<() => void, (reason: unknown) => void>();

  // Once, and not by each who waits: a signal looks at all its listeners to add one more.
  closing.addEventListener('abort', () => {
    for (const giveUp of waiting.values()) giveUp(closing.reason);
  });

  function release() {
    const next = waiting.keys().next();
    if (next.done === true) free += 1;
    else next.value();
  }

  /** Resolves with the function that gives the slot back; rejects with the reason when the signal fires first. */
  function take(signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const over = [closing, signal].find((one) => one?.aborted === true);
      if (over !== undefined) return reject(over.reason);
      if (free > 0) {
        free -= 1;
        return resolve(release);
      }
      const giveUp = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      const enter = () => {
        leave();
        resolve(release);
      };
      const leave = () => {
        waiting.delete(enter);
        signal?.removeEventListener('abort', onAbort);
      };
      waiting.set(enter, giveUp);
      signal?.addEventListener('abort', onAbort);
    });
  }

  return { take };
}
