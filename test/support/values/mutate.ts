/** Changes values at random, for input that nobody sends on purpose. */

export type Random = () => number;

export function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

const junk: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'x'.repeat(20_000),
  '\u0000\u202e\ud800',
  "'; drop table operations; --",
  '<!channel>',
  '{"a":',
  [],
  {},
  [[[[[[]]]]]],
  { toString: 'x', constructor: null, length: -1 },
];

/** Removes, replaces or doubles a random part. */
export function mutate(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.08) return pick(random, junk);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    const at = Math.floor(random() * (copy.length + 1));
    const fate = random();
    if (fate < 0.2) copy.splice(at, 1);
    else if (fate < 0.4) copy.push(...copy);
    else copy[at] = mutate(random, copy[at]);
    return copy;
  }
  const copy: Record<string, unknown> = { ...value };
  const names = Object.keys(copy);
  const key = names.length === 0 ? '__proto__x' : pick(random, names);
  if (random() < 0.15) delete copy[key];
  else copy[key] = mutate(random, copy[key]);
  return copy;
}
