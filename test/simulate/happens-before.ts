import { createHash } from 'node:crypto';
import type { Columns, Resource, Step } from './scheduler.ts';

/** The order of the steps of a history, as far as it matters: one step touches what the other changes, or follows from it. */

export function depend(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a.some((one) => b.some((other) => (one.isWrite || other.isWrite) && isSame(one, other)));
}

function isSame(a: Resource, b: Resource): boolean {
  const isSameRow = a.name === b.name && (a.row === undefined || b.row === undefined || a.row === b.row);
  return isSameRow && (a.columns === undefined || b.columns === undefined || meet(a.columns, b.columns));
}

function meet(a: Columns, b: Columns): boolean {
  if ('only' in a) return 'only' in b ? !a.only.isDisjointFrom(b.only) : !a.only.isSubsetOf(b.but);
  return 'only' in b ? meet(b, a) : true;
}

/** A pair that happened in this order and could have happened in the other. */
export interface Race {
  readonly first: number;
  readonly second: number;
  /** The steps, in their order, that lead to the second and do not follow from the first; the second is the last of them. */
  readonly instead: readonly number[];
  /** The ones among them with which such an order can begin. */
  readonly initials: readonly number[];
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
    for (const parent of step.parents) add(parent);
    const causes = [...step.parents];
    for (let i = j - 1; i >= 0; i--) {
      const earlier = steps[i];
      if (earlier === undefined || known.has(i) || !depend(earlier.resources, step.resources)) continue;
      causes.push(i);
      const race = reversalOf(steps, before, i, j, known);
      if (race !== undefined) races.push(race);
      add(i);
    }
    before.push(known);
    const text = [step.actor, step.label, ...causes.map((i) => hashes[i]).sort()].join('\n');
    hashes.push(createHash('sha1').update(text).digest('hex'));
  }
  return { races, hash: createHash('sha1').update(hashes.sort().join('\n')).digest('hex') };
}

/** Undefined when the second cannot come before the first: it waited for it. */
function reversalOf(
  steps: readonly Step[],
  before: readonly ReadonlySet<number>[],
  i: number,
  j: number,
  known: ReadonlySet<number>,
): Race | undefined {
  const open = steps[i]?.enabled ?? [];
  const instead: number[] = [];
  const initials: number[] = [];
  /** Steps that follow from the first, or were not there yet in its place. */
  const later = new Set([i]);
  for (let k = i + 1; k <= j; k++) {
    const step = steps[k];
    const past = k === j ? known : before[k];
    if (step === undefined || past === undefined) continue;
    const isFree = !instead.some((other) => past.has(other));
    if (past.intersection(later).size > 0 || (isFree && !open.includes(step.point))) {
      if (k === j || known.has(k)) return undefined;
      later.add(k);
      continue;
    }
    if (isFree) initials.push(k);
    instead.push(k);
  }
  return { first: i, second: j, instead, initials };
}
