/** At most `limit` holders at a time; who came first goes first. */
export function createSlots(limit: number) {
  let free = limit;
  const waiting = new Set<() => void>();

  function release() {
    const next = waiting.values().next();
    if (next.done === true) free += 1;
    else next.value();
  }

  /** Resolves with the function that gives the slot back; rejects with the signal's reason when it fires first. */
  function take(signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return resolve(release);
      }
      const enter = () => {
        leave();
        resolve(release);
      };
      const giveUp = () => {
        leave();
        reject(signal?.reason);
      };
      const leave = () => {
        waiting.delete(enter);
        signal?.removeEventListener('abort', giveUp);
      };
      waiting.add(enter);
      signal?.addEventListener('abort', giveUp);
    });
  }

  return { take };
}
