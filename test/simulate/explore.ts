import { judge, type Violation } from '../../sandbox/judge/judge.ts';
import { orderOf } from './happens-before.ts';
import type { Choose } from './scheduler.ts';
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
  readonly distinct: number;
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
  return (_, step) => deviations.get(step);
}

/** A broken promise, a process that logged an error, or a history that never comes to rest. */
export function faultsOf({ history, complaints, isComplete }: Seen): Violation[] {
  return [
    ...judge(history),
    ...complaints.map((what) => ({ rule: 'no-error', what })),
    ...(isComplete ? [] : [{ rule: 'rest', what: 'the history comes to no rest' }]),
  ];
}

/**
 * Plays every order of the world's steps in which races come out another way, fewest reversals first, and after the usual
 * order those in which one act of the outside comes at another moment. Orders that differ
 * only in steps that do not touch each other are one: of those a single one is played, mostly.
 */
export async function explore(world: World, { untilMs, mostHistories = Infinity, observe }: Budget): Promise<Explored> {
  const distinct = new Set<string>();
  const known = new Set<string>();
  let layer: Deviations[] = [new Map()];
  let histories = 0;
  let wholeDepth = -1;
  for (;;) {
    const next: Deviations[] = [];
    for (const [n, deviations] of layer.entries()) {
      // The usual order is played however short the time is.
      if ((realNow() > untilMs && histories > 0) || histories >= mostHistories)
        return {
          histories,
          distinct: distinct.size,
          wholeDepth,
          left: layer.length - n + next.length,
          failure: undefined,
        };
      const seen = await play(world, follow(deviations), observe === undefined ? {} : { watch: observe() });
      histories++;
      const violations = faultsOf(seen);
      if (violations.length > 0) {
        const failure = { world, seed: 1, deviations, violations, seen };
        return { histories, distinct: distinct.size, wholeDepth, left: layer.length - n, failure };
      }
      const { races, hash } = orderOf(seen.steps);
      if (distinct.has(hash)) continue;
      distinct.add(hash);
      const reversed = races.map(({ first, instead }) => {
        const point = seen.steps[instead]?.point ?? -1;
        return { step: first, place: seen.steps[first]?.enabled.indexOf(point) ?? -1 };
      });
      // A kill may come at any moment of the usual order; by reversing races it would move by one step in each layer. The last moments, near the write, come first.
      const moved =
        deviations.size > 0 ? [] : seen.steps.flatMap(({ acts }, step) => acts.map((place) => ({ step, place })));
      for (const { step, place } of [...reversed, ...moved.reverse()]) {
        if (place < 0) continue;
        const turned = new Map([...deviations].filter(([earlier]) => earlier < step)).set(step, place);
        const key = [...turned].join(';');
        if (known.has(key)) continue;
        known.add(key);
        next.push(turned);
      }
    }
    wholeDepth++;
    if (next.length === 0) return { histories, distinct: distinct.size, wholeDepth, left: 0, failure: undefined };
    layer = next;
  }
}
