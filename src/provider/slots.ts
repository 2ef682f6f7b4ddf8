/** A page of a list comes before a read of one thing: many callers wait for the list, page by page. */
const lanes = ['write', 'page', 'read', 'later write', 'later read'] as const;
type Lane = (typeof lanes)[number];

/**
 * A semaphore with `limit` slots. Reads may hold all but `forWrites` of them: many slow reads must not delay a restart.
 * Writes come first, then pages, then other reads, then the calls for which no person waits, each in order of arrival.
 * After `closing` no one gets a slot.
 */
export function createSlots(limit: number, closing: AbortSignal) {
  const forWrites = Math.min(2, limit - 1);
  let free = limit;
  type Calls = Map<() => void, (reason: unknown) => void>;
  /** Waiting calls, each with its reject function. Object.fromEntries does not show that each lane has its own. */
  const waiting = Object.fromEntries(lanes.map((lane) => [lane, new Map()])) as Readonly<Record<Lane, Calls>>;

  // A single listener for all waiting calls, since adding a listener to a signal compares it with all others.
  closing.addEventListener('abort', () => {
    for (const lane of lanes) for (const giveUp of [...waiting[lane].values()]) giveUp(closing.reason);
  });

  const isFreeFor = (lane: Lane) => free > (lane.endsWith('write') ? 0 : forWrites);

  function release() {
    free += 1;
    for (const lane of lanes) {
      const next = waiting[lane].keys().next();
      if (next.done !== true && isFreeFor(lane)) return next.value();
    }
  }

  /** Resolves with the function that releases the slot; rejects with the signal's reason if it fires first. */
  return function acquire(lane: Lane, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const aborted = [closing, signal].find((each) => each?.aborted === true);
      if (aborted !== undefined) return reject(aborted.reason);
      if (isFreeFor(lane)) {
        free -= 1;
        return resolve(release);
      }
      const queue = waiting[lane];
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
  };
}
