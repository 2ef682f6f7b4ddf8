export type Admission = 'yes' | 'no_first' | 'no_again';

/** A person who goes on typing is told again after so long: silence would look as if the bot were gone. */
const tellEveryMs = 10_000;

export interface RateLimit {
  readonly admit: (person: string) => Admission;
  /** The request was here before, so it counts no second time. */
  readonly giveBack: (person: string, admission: Admission) => void;
}

/** So many requests a minute and person. In memory: each replica counts its own. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const seen = new Map<string, { times: number[]; toldAt: number }>();
  function admit(person: string): Admission {
    const at = now();
    const entry = seen.get(person) ?? { times: [], toldAt: Number.NEGATIVE_INFINITY };
    // In the order they came: the old ones stand in front.
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
    giveBack: (person, admission) => {
      const entry = seen.get(person);
      if (admission === 'yes') entry?.times.pop();
      else if (admission === 'no_first' && entry !== undefined) entry.toldAt = Number.NEGATIVE_INFINITY;
    },
  };
}
