import type { Effect } from './endpoint.ts';

/**
 * A semaphore with `limit` slots. Reads may hold all but `forWrites` of them: many slow reads must not delay a restart.
 * Writes come before reads, each in order of arrival. After `closing` no one gets a slot.
 */
export function createSlots(limit: number, closing: AbortSignal, forWrites = Math.min(2, limit - 1)) {
  let free = limit;
  /** Waiting calls, each with its reject function. */
  const waiting: Readonly<Record<Effect, Map<() => void, (reason: unknown) => void>>> = {
    write: new Map(),
    read: new Map(),
  };

  // A single listener for all waiting calls, since adding a listener to a signal compares it with all others.
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

  /** Resolves with the function that releases the slot; rejects with the signal's reason if it fires first. */
  function acquire(effect: Effect, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const aborted = [closing, signal].find((each) => each?.aborted === true);
      if (aborted !== undefined) return reject(aborted.reason);
      if (isFreeFor(effect)) {
        free -= 1;
        return resolve(release);
      }
      const queue = waiting[effect];
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
        queue.delete(enter);
        signal?.removeEventListener('abort', onAbort);
      };
      queue.set(enter, giveUp);
      signal?.addEventListener('abort', onAbort);
    });
  }

  return { acquire };
}
