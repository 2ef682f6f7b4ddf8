/** Remembers answers for a while and asks once when many ask at the same time. Errors are not remembered. */
export interface Memory<T> {
  /** `maxAgeMs`: for whom an answer as old as what is remembered is not good enough. `throw`: nor one given again while limited. */
  readonly get: (
    key: string,
    read: () => Promise<T>,
    maxAgeMs?: number | undefined,
    limited?: 'last' | 'throw',
  ) => Promise<T>;
  readonly forget: (key: string) => void;
  /** Forgets an answer that cannot be true any more. */
  readonly forgetIf: (key: string, isOld: (value: T) => boolean) => void;
  readonly clear: () => void;
}

export interface MemoryOptions {
  readonly lifeMs: number;
  /** While who is asked wants to be left alone, an answer of up to this age is given again. */
  readonly limitedLifeMs: number;
  /** How long an error asks to wait; undefined when it does not. */
  readonly waitMs: (error: unknown) => number | undefined;
  readonly now: () => number;
}

const most = 10_000;

export function createMemory<T>({ lifeMs, limitedLifeMs, waitMs, now }: MemoryOptions): Memory<T> {
  const kept = new Map<string, { value: Promise<T>; readAt: number }>();
  let limit: { error: unknown; until: number } | undefined;

  async function ask(read: () => Promise<T>): Promise<T> {
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
    get: (key, read, maxAgeMs = lifeMs, limited = 'last') => {
      const known = kept.get(key);
      if (known !== undefined && now() - known.readAt < Math.min(maxAgeMs, lifeMs)) return known.value;
      const isCurrent = () => kept.get(key) === entry;
      const value = ask(read).catch((error: unknown) => {
        // Something newer may be there already: an event made us forget this one while it was being read.
        if (!isCurrent()) throw error;
        kept.delete(key);
        const isOld = known === undefined || now() - known.readAt >= limitedLifeMs;
        if (isOld || waitMs(error) === undefined) throw error;
        kept.set(key, known);
        if (limited === 'throw') throw error;
        return known.value;
      });
      const entry = { value, readAt: now() };
      kept.delete(key);
      kept.set(key, entry);
      const oldest = kept.keys().next().value;
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      // The caller handles the rejection; this only keeps node from reporting it as unhandled.
      value.catch(() => undefined);
      return value;
    },
    forget: (key) => kept.delete(key),
    forgetIf: (key, isOld) => {
      const known = kept.get(key);
      const check = (value: T) => {
        if (isOld(value) && kept.get(key) === known) kept.delete(key);
      };
      known?.value.then(check, () => undefined);
    },
    clear: () => kept.clear(),
  };
}
