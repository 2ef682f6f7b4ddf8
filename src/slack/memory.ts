/** Remembers answers for a while and asks once when many ask at the same time. Errors are not remembered. */
export interface Memory<T> {
  readonly get: (key: string, read: () => Promise<T>) => Promise<T>;
  readonly forget: (key: string) => void;
  readonly clear: () => void;
}

const most = 10_000;

export function createMemory<T>(lifeMs: number, now: () => number): Memory<T> {
  const kept = new Map<string, { value: Promise<T>; until: number }>();
  return {
    get: (key, read) => {
      const known = kept.get(key);
      if (known !== undefined && known.until > now()) return known.value;
      const entry = { value: read(), until: now() + lifeMs };
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
