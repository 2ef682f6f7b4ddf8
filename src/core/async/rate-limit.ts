export type Admission = 'yes' | 'no_first' | 'no_again';

/** A person above the limit is reminded at this interval: without it, the bot would seem offline. */
const tellEveryMs = 10_000;

/** Limits the requests of each person in a minute. In memory: each replica counts separately. */
export function createRateLimit(perMinute: number, now: () => number) {
  const seen = new Map<string, { times: number[]; toldAt: number }>();
  function admit(person: string): Admission {
    const at = now();
    const entry = seen.get(person) ?? { times: [], toldAt: Number.NEGATIVE_INFINITY };
    // The times are in ascending order.
    const firstFresh = entry.times.findIndex((time) => time > at - 60_000);
    entry.times.splice(0, firstFresh < 0 ? entry.times.length : firstFresh);
    seen.set(person, entry);
    if (entry.times.length < perMinute) {
      entry.times.push(at);
      entry.toldAt = Number.NEGATIVE_INFINITY;
      if (seen.size > 10_000)
        for (const [key, value] of seen) if ((value.times.at(-1) ?? 0) < at - 60_000) seen.delete(key);
      return 'yes';
    }
    if (at - entry.toldAt < tellEveryMs) return 'no_again';
    entry.toldAt = at;
    return 'no_first';
  }

  return {
    admit,
    /** Removes the count of a request that was received before. */
    giveBack: (person: string, admission: Admission) => {
      const entry = seen.get(person);
      if (admission === 'yes') entry?.times.pop();
      else if (admission === 'no_first' && entry !== undefined) entry.toldAt = Number.NEGATIVE_INFINITY;
    },
  };
}
