import { createHash } from 'node:crypto';
import type { Resource, Step } from './scheduler.ts';

/** The order of the steps of a history, as far as it matters: one step touches what the other changes, or follows from it. */

export function depend(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a.some((one) => b.some((other) => one.name === other.name && (one.isWrite || other.isWrite)));
}

/** A pair that happened in this order and could have happened in the other. */
export interface Race {
  readonly first: number;
  readonly second: number;
  /** The step that has to be taken in place of `first`, so that `second` can come before it. */
  readonly instead: number;
}

export interface Order {
  readonly races: readonly Race[];
  /** Equal for histories that differ only in the order of steps that do not touch each other. */
  readonly hash: string;
}

export function orderOf(steps: readonly Step[]): Order {
  const before: Set<number>[] = [];
  const hashes: string[] = [];
  const races: Race[] = [];
  for (const [j, step] of steps.entries()) {
    const known = new Set<number>();
    const add = (i: number) => {
      known.add(i);
      for (const k of before[i] ?? []) known.add(k);
    };
    if (step.parent >= 0) add(step.parent);
    const causes: number[] = step.parent >= 0 ? [step.parent] : [];
    for (let i = j - 1; i >= 0; i--) {
      const earlier = steps[i];
      if (earlier === undefined || known.has(i) || !depend(earlier.resources, step.resources)) continue;
      causes.push(i);
      const instead = initialOf(steps, before, i, j, known);
      if (instead !== undefined) races.push({ first: i, second: j, instead });
      add(i);
    }
    before.push(known);
    const text = [step.actor, step.label, ...causes.map((i) => hashes[i]).sort()].join('\n');
    hashes.push(createHash('sha1').update(text).digest('hex'));
  }
  return { races, hash: createHash('sha1').update(hashes.sort().join('\n')).digest('hex') };
}

/** The earliest step after `i` that leads to `j`, does not follow from `i`, and could have been taken in its place. */
function initialOf(
  steps: readonly Step[],
  before: readonly ReadonlySet<number>[],
  i: number,
  j: number,
  known: ReadonlySet<number>,
): number | undefined {
  const open = steps[i]?.enabled ?? [];
  for (let k = i + 1; k <= j; k++) {
    const step = steps[k];
    if (step === undefined || !open.includes(step.point)) continue;
    if (k === j || (known.has(k) && before[k]?.has(i) !== true)) return k;
  }
  return undefined;
}
