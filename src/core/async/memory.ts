import { setBounded } from './bounded-map.ts';

const most = 10_000;

/** A cache of lookups. Callers with the same key at the same time share a lookup. Errors are not cached. */
export function createMemory<T>({
  lifeMs,
  limitedLifeMs = 0,
  waitMs = () => undefined,
  now,
}: {
  readonly lifeMs: number;
  /** The maximum age of values that are used while lookups are rate-limited. */
  readonly limitedLifeMs?: number;
  /** The wait that an error requires; undefined if none. */
  readonly waitMs?: (error: unknown) => number | undefined;
  readonly now: () => number;
}) {
  const kept = new Map<string, { value: Promise<T>; readAt: number }>();
  let limit: { error: unknown; until: number } | undefined;

  async function lookUp(read: () => Promise<T>): Promise<T> {
    if (limit !== undefined && now() < limit.until) throw limit.error;
    try {
      return await read();
    } catch (error) {
      const ms = waitMs(error);
      if (ms !== undefined) limit = { error, until: now() + ms };
      throw error;
    }
  }

  return {
    /** `maxAgeMs`: of a cached value. `limited: 'throw'` refuses older ones, otherwise used while rate-limited. */
    get: (key: string, read: () => Promise<T>, maxAgeMs = lifeMs, limited: 'last' | 'throw' = 'last'): Promise<T> => {
      const cached = kept.get(key);
      if (cached !== undefined && now() - cached.readAt < Math.min(maxAgeMs, lifeMs)) return cached.value;
      const isCurrent = () => kept.get(key) === entry;
      const value = lookUp(read).catch((error: unknown) => {
        // A newer lookup may have replaced this one, after an event dropped it.
        if (!isCurrent()) throw error;
        kept.delete(key);
        const isOld = cached === undefined || now() - cached.readAt >= limitedLifeMs;
        if (isOld || waitMs(error) === undefined) throw error;
        kept.set(key, cached);
        if (limited === 'throw') throw error;
        return cached.value;
      });
      const entry = { value, readAt: now() };
      setBounded(kept, key, entry, most);
      // The caller handles the rejection; this prevents Node from reporting it as unhandled.
      value.catch(() => undefined);
      return value;
    },
    forget: (key: string) => void kept.delete(key),
    forgetIf: (key: string, isOld: (value: T) => boolean) => {
      const cached = kept.get(key);
      const check = (value: T) => {
        if (isOld(value) && kept.get(key) === cached) kept.delete(key);
      };
      cached?.value.then(check, () => undefined);
    },
    clear: () => kept.clear(),
  };
}
