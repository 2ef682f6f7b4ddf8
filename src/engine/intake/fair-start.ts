/** A turn of the event loop that takes longer has enough to do already. */
const longTickMs = 0.5;
/** However long turns are, the next piece begins after this. */
const longestWaitMs = 100;

/**
 * One piece of work begins in a turn of the event loop, first come first served, and none while turns are long: what
 * arrives meanwhile is read and acknowledged before all of it is worked on. Node accepts one connection a turn (libuv
 * 1.52), so with long turns a burst over HTTP would be heard last. What only waits makes no turn longer: work that hangs
 * holds up nobody.
 */
export function createFairStart(now = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let tickAt = 0;
  let begunAt = 0;
  const next = () => {
    const at = now();
    if (at - tickAt < longTickMs || at - begunAt > longestWaitMs) {
      begunAt = at;
      waiting.shift()?.();
    }
    tickAt = at;
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length > 1) return;
      tickAt = now();
      begunAt = tickAt;
      setImmediate(next);
    });
}
