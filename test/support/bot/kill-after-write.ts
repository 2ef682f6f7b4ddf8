/**
 * A process that is killed at a chosen moment: right after its nth write. From then on none of its calls reaches the
 * database or returns.
 */
export interface WriteKiller {
  /** Counts writes from now on. */
  readonly begin: () => void;
  /** The number of writes since then. */
  readonly writes: () => number;
  /** Describes the last write. */
  readonly last: () => string;
  readonly isDead: () => boolean;
  readonly died: Promise<void>;
  /** All calls to a part of the store pass here. */
  readonly guard: <T extends object>(part: T) => T;
  /** Each part of a store. */
  readonly guardAll: <T extends object>(store: T) => T;
}

/** A kill after these is a kill before the next write. Leases are taken by the clock, and not in an order. */
const changesNothing =
  /^(get|list|find|count|claim|heartbeat|extend|reconcile)|^(active|all|ask|drifting|due|each|giveBack|keep|expired|lastAt|listAll|mutes|note|nextDueAt|onMessage|open|pending|purge|prune|recent|releaseLeft|stalled|unfinished|unwatched|verify)$/;
const endsIt = /^(stop|close|drain)$/;

/** `counts` says which writes are counted, by their method and its arguments; all of them without it. */
export function killAfterWrite(diesAfter = Number.POSITIVE_INFINITY, counts = /^/): WriteKiller {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  let writes = 0;
  let isCounting = false;
  let last = '';
  let isDead = false;
  const mustLive = () => {
    if (isDead) throw new Error('killed');
  };

  function guard<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function' || typeof name === 'symbol' || endsIt.test(name))
          return typeof found === 'function' ? found.bind(target) : found;
        return async (...words: unknown[]) => {
          mustLive();
          const answer: unknown = await found.apply(target, words);
          mustLive();
          if (isCounting && !changesNothing.test(name)) {
            last = `${name} ${JSON.stringify(words).slice(0, 160)}`;
            if (counts.test(last) && ++writes === diesAfter) {
              isDead = true;
              die();
            }
          }
          mustLive();
          return answer;
        };
      },
    });
  }

  return {
    begin: () => {
      isCounting = true;
    },
    writes: () => writes,
    last: () => last,
    isDead: () => isDead,
    died,
    guard,
    guardAll: (store) =>
      Object.assign(
        { ...store },
        Object.fromEntries(
          Object.entries(store)
            .filter(([, part]) => typeof part === 'object')
            .map(([name, part]) => [name, guard(part)]),
        ),
      ),
  };
}
