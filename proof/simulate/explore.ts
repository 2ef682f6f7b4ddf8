import { judge, type Violation } from '../../sandbox/judge/judge.ts';
import { depend, orderOf } from './happens-before.ts';
import type { Choose, Step } from './scheduler.ts';
import { addBranch, awake, createRoot, createWalk, isKnown, type Node } from './tree.ts';
import { realNow } from './virtual-world.ts';
import { type PlayOptions, play, type Seen, type World } from './world.ts';

/** The places at which a history leaves the usual order: the step, and the point that is taken there. */
export type Deviations = ReadonlyMap<number, number>;

export interface Failure {
  readonly world: World;
  readonly seed: number;
  readonly deviations: Deviations;
  readonly violations: readonly Violation[];
  readonly seen: Seen;
}

export interface Explored {
  readonly histories: number;
  /** A hash of each order, equal for those that count as one. */
  readonly orders: ReadonlySet<string>;
  /** Every history with so many reversed races was seen. */
  readonly wholeDepth: number;
  /** Histories that were found and not played, because the time was over. */
  readonly left: number;
  readonly failure: Failure | undefined;
}

export interface Budget {
  readonly untilMs: number;
  readonly mostHistories?: number;
  /** Called for each history; what it returns looks after each step of it. */
  readonly observe?: () => NonNullable<PlayOptions['watch']>;
}

export function follow(deviations: Deviations): Choose {
  return (_, { length }) => deviations.get(length);
}

export function deviationsOf(steps: readonly Step[]): Deviations {
  return new Map(steps.flatMap(({ place, usualPlace }, n) => (place === usualPlace ? [] : [[n, place] as const])));
}

/** A broken promise, a process that logged an error, or a history that never comes to rest. */
export function faultsOf({ history, complaints, isComplete, isCut }: Seen): Violation[] {
  return [
    ...judge(history),
    ...complaints.map((what) => ({ rule: 'no-error', what })),
    ...(isComplete || isCut ? [] : [{ rule: 'rest', what: 'the history comes to no rest' }]),
  ];
}

interface Planned {
  readonly deviations: Deviations;
  /** The names of the points that are taken then, as long as they are there. */
  readonly next: readonly string[];
}

/**
 * Plays every order of the world's steps in which races come out another way, fewest reversals first (source sets, as of
 * Abdulla and others). Orders that differ only in steps that do not touch each other are one: of those a single one is
 * played, and one that turns out to be like another is not played to its end.
 */
export async function explore(world: World, { untilMs, mostHistories = Infinity, observe }: Budget): Promise<Explored> {
  const orders = new Set<string>();
  const root = createRoot();
  let layer: Planned[] = [{ deviations: new Map(), next: [] }];
  let histories = 0;
  let wholeDepth = -1;
  for (;;) {
    const next: Planned[] = [];
    for (const [n, planned] of layer.entries()) {
      const left = layer.length - n + next.length;
      // The usual order is played however short the time is.
      if ((realNow() > untilMs && histories > 0) || histories >= mostHistories)
        return { histories, orders, wholeDepth, left, failure: undefined };
      const { nodes, reach } = createWalk(root);
      const from = Math.max(-1, ...planned.deviations.keys());
      const choose: Choose = (open, steps) => {
        const node = reach(steps);
        const place = planned.deviations.get(steps.length);
        if (place !== undefined || steps.length <= from) return place;
        const next = open.findIndex(({ name }) => name === planned.next[steps.length - from - 1]);
        if (next >= 0) return next;
        const point = awake(node, open);
        return point === undefined ? 'end' : open.indexOf(point);
      };
      const seen = await play(world, choose, observe === undefined ? {} : { watch: observe() });
      reach(seen.steps);
      histories++;
      const deviations = deviationsOf(seen.steps);
      const violations = seen.isCut ? [] : faultsOf(seen);
      if (violations.length > 0) {
        const failure = { world, seed: 1, deviations, violations, seen };
        return { histories, orders, wholeDepth, left, failure };
      }
      const { races, hash } = orderOf(seen.steps, from);
      if (!seen.isCut) orders.add(hash);
      const isFirst = planned.deviations.size === 0;
      const stepsOf = (numbers: readonly number[]) => numbers.flatMap((n) => seen.steps[n] ?? []);
      for (const { first, initials, instead } of races) {
        const node = nodes[first];
        const then = stepsOf(instead);
        if (node === undefined || isKnown(node, stepsOf(initials))) continue;
        next.push(turnAt(seen.steps, deviations, node, first, then));
      }
      if (isFirst) next.push(...moveActs(seen.steps, deviations, nodes));
    }
    wholeDepth++;
    if (next.length === 0) return { histories, orders, wholeDepth, left: 0, failure: undefined };
    layer = next;
  }
}

function turnAt(
  steps: readonly Step[],
  deviations: Deviations,
  node: Node,
  at: number,
  [chosen, ...then]: readonly Step[],
): Planned {
  const place = steps[at]?.enabled.indexOf(chosen?.point ?? -1) ?? -1;
  if (chosen === undefined || place < 0) throw new Error('the step was not there to be taken');
  addBranch(node, chosen.point);
  const earlier = [...deviations].filter(([step]) => step < at);
  return { deviations: new Map(earlier).set(at, place), next: then.map(({ name }) => name) };
}

/**
 * A kill may come at any moment of the usual order; by reversing races it would move by one step in each layer. The last
 * moments, near the write, come first, and those between two timers at the end.
 */
function moveActs(steps: readonly Step[], deviations: Deviations, nodes: readonly Node[]): Planned[] {
  const planned: Planned[] = [];
  const betweenTimers: Planned[] = [];
  for (const [late, act] of steps.entries()) {
    if (!act.isAct) continue;
    for (let n = late - 1; n >= 0; n--) {
      const step = steps[n];
      const node = nodes[n];
      if (step === undefined || node === undefined || !step.enabled.includes(act.point)) continue;
      if (!depend(step.resources, act.resources) || isKnown(node, [act])) continue;
      (step.label === 'timer' ? betweenTimers : planned).push(turnAt(steps, deviations, node, n, [act]));
    }
  }
  return [...planned, ...betweenTimers];
}
