import { createHash } from 'node:crypto';
import { type Columns, type Resource, type Step, time } from './scheduler.ts';

/** The order of the steps of a history, as far as it matters: one step touches what the other changes, or follows from it. */

export function depend(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a.some((one) => b.some((other) => (one.isWrite || other.isWrite) && isSame(one, other)));
}

function isSame(a: Resource, b: Resource): boolean {
  if (a.isAlike && b.isAlike) return false;
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
  /** For each step those after which it comes in each such order. */
  readonly before: readonly StepSet[];
  /** Equal for histories that differ only in the order of steps that do not touch each other, or in reads that a kill took with it. */
  readonly hash: string;
}

/**
 * `from`: the steps before it are those of another history, whose races are known; only races whose second step comes later
 * are named.
 */
export function orderOf(steps: readonly Step[], from = 0): Order {
  const before: StepSet[] = [];
  const hashes: string[] = [];
  const races: Race[] = [];
  const earlierOf = createTouched();
  const lost = lostOf(steps);
  for (const [j, step] of steps.entries()) {
    const known = createStepSet(steps.length);
    const add = (i: number) => {
      known.add(i);
      known.addAll(before[i]);
    };
    for (const parent of step.parents) add(parent);
    const causes = [...step.parents];
    for (const i of earlierOf(j, lost.has(j) ? [] : step.resources)) {
      if (known.has(i)) continue;
      causes.push(i);
      const race = j < from ? undefined : reversalOf(steps, before, i, j, known);
      if (race !== undefined) races.push(race);
      add(i);
    }
    before.push(known);
    hashes.push(sha1([step.actor, step.label, ...causes.map((i) => hashes[i] ?? '').sort()]));
  }
  const kept = hashes.filter((_, n) => !lost.has(n));
  return { races, before, hash: sha1(kept.sort()) };
}

const sha1 = (lines: readonly string[]): string => createHash('sha1').update(lines.join('\n')).digest('hex');

/** The steps of a process after its last change, if it was killed then; its timers are not among them, they moved the time. */
function lostOf(steps: readonly Step[]): ReadonlySet<number> {
  const lost = new Set<number>();
  const unkept = new Map<string, number[]>();
  for (const [n, { actor, resources }] of steps.entries()) {
    const ofEffects = resources.filter(({ name }) => name === 'effects');
    for (const { row = '', isWrite } of ofEffects) {
      if (isWrite) for (const one of unkept.get(row) ?? []) lost.add(one);
      unkept.delete(row);
    }
    if (ofEffects.length === 0 && !resources.some(({ name }) => name === time))
      unkept.set(actor, [...(unkept.get(actor) ?? []), n]);
  }
  return lost;
}

/** Notes what each step touches, and answers with the earlier steps on which it depends, the last one first. */
function createTouched(): (step: number, resources: readonly Resource[]) => number[] {
  interface Touch {
    readonly step: number;
    readonly resource: Resource;
  }
  const reads = new Map<string, Touch[]>();
  const writes = new Map<string, Touch[]>();
  return (step, resources) => {
    const found = new Set<number>();
    const look = (touches: readonly Touch[] = [], resource: Resource) => {
      for (const other of touches) if (isSame(other.resource, resource)) found.add(other.step);
    };
    for (const resource of resources) {
      look(writes.get(resource.name), resource);
      if (resource.isWrite) look(reads.get(resource.name), resource);
    }
    for (const resource of resources) {
      const kind = resource.isWrite ? writes : reads;
      const touches = kind.get(resource.name) ?? [];
      touches.push({ step, resource });
      kind.set(resource.name, touches);
    }
    return [...found].sort((a, b) => b - a);
  };
}

/**
 * Undefined when the second cannot come before the first: it waited for it. The second may be a step that is not among them,
 * and follows from those that are known.
 */
export function reversalOf(
  steps: readonly Step[],
  before: readonly StepSet[],
  i: number,
  j: number,
  known: StepSet,
): Race | undefined {
  const open = steps[i]?.enabled ?? [];
  const instead: number[] = [];
  const initials: number[] = [];
  const tried = createStepSet(steps.length);
  /** Steps that follow from the first, or were not there yet in its place. */
  const later = createStepSet(steps.length);
  later.add(i);
  for (let k = i + 1; k <= j; k++) {
    const step = steps[k];
    const past = k === j ? known : before[k];
    if (step === undefined || past === undefined) continue;
    const isFree = !past.meets(tried);
    if (past.meets(later) || (isFree && !open.includes(step.point))) {
      if (k === j || known.has(k)) return undefined;
      later.add(k);
      continue;
    }
    if (isFree) initials.push(k);
    instead.push(k);
    tried.add(k);
  }
  return { first: i, second: j, instead, initials };
}

export type StepSet = ReturnType<typeof createStepSet>;

/** A bit for each step: sets of numbers took a third of the time of a history. */
export function createStepSet(size: number) {
  const bits = new Uint32Array(Math.ceil(size / 32));
  const wordAt = (n: number): number => bits[n] ?? 0;
  return {
    bits,
    add: (step: number): void => {
      bits[step >> 5] = wordAt(step >> 5) | (1 << (step & 31));
    },
    has: (step: number): boolean => ((wordAt(step >> 5) >> (step & 31)) & 1) === 1,
    addAll: (other: { readonly bits: Uint32Array } | undefined): void => {
      other?.bits.forEach((word, n) => {
        bits[n] = wordAt(n) | word;
      });
    },
    meets: ({ bits: others }: { readonly bits: Uint32Array }): boolean => {
      for (const [n, word] of bits.entries()) if ((word & (others[n] ?? 0)) !== 0) return true;
      return false;
    },
  };
}
