import type { Effect } from './endpoint.ts';

/**
 * At most `limit` holders at a time, of whom reads take all but `forWrites`: a sweep of reads at a slow provider must not
 * hold up a restart. Who came first goes first, writes before reads. Nobody else gets in once it closes.
 */
export function createSlots(limit: number, closing: AbortSignal, forWrites = Math.min(2, limit - 1)) {
  let free = limit;
  /** Waiting calls, each with its reject function. */
  const waiting: Readonly<Record<Effect, Map<() => void, (reason: unknown) => void>>> = {
    write: new Map(),
    read: new Map(),
  };

  // Once, and not by each who waits: a signal looks at all its listeners to add one more.
  closing.addEventListener('abort', () => {
    for (const line of [waiting.write, waiting.read]) for (const giveUp of [...line.values()]) giveUp(closing.reason);
  });

  const isFreeFor = (effect: Effect) => free > (effect === 'write' ? 0 : forWrites);

  function release() {
    free += 1;
    for (const effect of ['write', 'read'] as const) {
      const next = waiting[effect].keys().next();
      if (next.done !== true && isFreeFor(effect)) return next.value();
    }
  }

  /** Resolves with the function that gives the slot back; rejects with the reason when the signal fires first. */
  function take(effect: Effect, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const over = [closing, signal].find((one) => one?.aborted === true);
      if (over !== undefined) return reject(over.reason);
      if (isFreeFor(effect)) {
        free -= 1;
        return resolve(release);
      }
      const line = waiting[effect];
      const giveUp = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      const enter = () => {
        free -= 1;
        leave();
        resolve(release);
      };
      const leave = () => {
        line.delete(enter);
        signal?.removeEventListener('abort', onAbort);
      };
      line.set(enter, giveUp);
      signal?.addEventListener('abort', onAbort);
    });
  }

  return { take };
}
