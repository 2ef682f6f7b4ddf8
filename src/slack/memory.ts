/** Remembers answers for a while and asks once when many ask at the same time. Errors are not remembered. */
export interface Memory<T> {
  /** `maxAgeMs`: for whom an answer as old as what is remembered is not good enough. */
  readonly get: (key: string, read: () => Promise<T>, maxAgeMs?: number | undefined) => Promise<T>;
  readonly forget: (key: string) => void;
  readonly clear: () => void;
}

const most = 10_000;

export function createMemory<T>(lifeMs: number, now: () => number): Memory<T> {
  const kept = new Map<string, { value: Promise<T>; readAt: number }>();
  return {
    get: (key, read, maxAgeMs = lifeMs) => {
      const known = kept.get(key);
      if (known !== undefined && now() - known.readAt < Math.min(maxAgeMs, lifeMs)) return known.value;
      const entry = { value: read(), readAt: now() };
      kept.delete(key);
      kept.set(key, entry);
      const oldest = kept.keys().next().value;
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      entry.value.catch(() => {
        // Something newer may be there already: an event made us forget this one while it was being read.
        if (kept.get(key) === entry) kept.delete(key);
      });
      return entry.value;
    },
    forget: (key) => kept.delete(key),
    clear: () => kept.clear(),
  };
}
