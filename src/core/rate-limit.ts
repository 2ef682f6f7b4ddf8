export type Admission = 'yes' | 'no_first' | 'no_again';

/** So many requests a minute and person, told once until it lets through again. In memory: each replica counts its own. */
export function createRateLimit(perMinute: number, now: () => number): (person: string) => Admission {
  const seen = new Map<string, { times: number[]; isNotified: boolean }>();
  return (person) => {
    const at = now();
    const entry = seen.get(person) ?? { times: [], isNotified: false };
    // In the order they came: the old ones stand in front.
    const firstFresh = entry.times.findIndex((time) => time > at - 60_000);
    entry.times.splice(0, firstFresh < 0 ? entry.times.length : firstFresh);
    seen.set(person, entry);
    if (entry.times.length < perMinute) {
      entry.times.push(at);
      entry.isNotified = false;
      if (seen.size > 10_000)
        for (const [key, value] of seen) if ((value.times.at(-1) ?? 0) < at - 60_000) seen.delete(key);
      return 'yes';
    }
    if (entry.isNotified) return 'no_again';
    entry.isNotified = true;
    return 'no_first';
  };
}
