import { type Footprint, footprintOf, meet } from './footprints.ts';
import type { Later } from './future.ts';
import { createStepSet, reversalOf, type StepSet } from './happens-before.ts';
import type { Reversal } from './moments.ts';
import type { Point, Step } from './scheduler.ts';

export interface End {
  readonly steps: readonly Step[];
  /** For each step those after which it comes in each such order. */
  readonly before: readonly StepSet[];
  /** The points that are open at the end, by the name that they have in that state. */
  readonly open: ReadonlyMap<string, Point>;
}

/** A race of a step that was taken with one that may follow from the state at the end. */
export type LaterRace = Reversal & { readonly first: number };

/** Finds the races of the steps that were taken with those that may follow. */
export function racesWithLater({ steps, before, open }: End, future: readonly Later[]): LaterRace[] {
  const footprints = steps.map(({ resources }) => footprintOf(resources));
  const rivalsOf = remembered((one: Footprint) => footprints.flatMap((other, n) => (meet(other, one) ? [n] : [])));
  const upTo = (list: readonly number[]): StepSet => {
    const set = createStepSet(steps.length);
    for (const n of list) {
      set.add(n);
      set.addAll(before[n]);
    }
    return set;
  };
  const beforePoint = remembered((name: string) => upTo(open.get(name)?.parents ?? []));
  const beforeFootprint = remembered((one: Footprint) => upTo(rivalsOf(one)));
  return future.flatMap(({ footprint, roots, past }) => {
    const rivals = rivalsOf(footprint);
    if (rivals.length === 0) return [];
    const known = createStepSet(steps.length);
    for (const root of roots) known.addAll(beforePoint(root));
    for (const one of past) known.addAll(beforeFootprint(one));
    return rivals.toReversed().flatMap((first) => {
      if (known.has(first)) return [];
      const race = reversalOf(steps, before, first, steps.length, known);
      const points = roots.flatMap((root) => open.get(root) ?? []);
      const found = race && withRoots({ steps, first, known, points }, race);
      known.addAll(upTo([first]));
      return found === undefined ? [] : [found];
    });
  });
}

interface Rooted {
  readonly steps: readonly Step[];
  readonly first: number;
  readonly known: StepSet;
  /** Points at the end without which the second step does not come. */
  readonly points: readonly Point[];
}

function withRoots(
  { steps, first, known, points }: Rooted,
  { instead, initials }: { readonly instead: readonly number[]; readonly initials: readonly number[] },
): LaterRace | undefined {
  const way = instead.filter((n) => known.has(n)).flatMap((n) => steps[n] ?? []);
  const there = points.filter(({ id }) => steps[first]?.enabled.includes(id));
  // It can come at once, but was not there yet.
  if (way.length === 0 && there.length < points.length) return undefined;
  const begins = initials.flatMap((n) => steps[n]?.point ?? []);
  return {
    first,
    initials: way.length > 0 ? begins : [...begins, ...there.map(({ id }) => id)],
    way: [...way, ...points],
  };
}

function remembered<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}
