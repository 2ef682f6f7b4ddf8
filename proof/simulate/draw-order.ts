import { judge, type Violation } from '../../sandbox/judge/judge.ts';
import { createRandom } from '../../test/support/values/random.ts';
import { type Choose, type Point, usual } from './scheduler.ts';
import { type PlayOptions, play, type Seen, type World } from './world.ts';

/** The steps at which a history deviates from the usual order, each with the index of the chosen point. */
export type Deviations = ReadonlyMap<number, number>;

export interface Played {
  readonly world: World;
  readonly deviations: Deviations;
  readonly violations: readonly Violation[];
  readonly seen: Seen;
}

type Draw = (open: readonly Point[], step: number) => number | undefined;

/** Most histories of small worlds have between one and three hundred steps. */
const usualSteps = 250;

/** Plays the order with these deviations. */
export async function follow(world: World, deviations: Deviations, options?: PlayOptions): Promise<Played> {
  const seen = await play(world, (_, { length }) => deviations.get(length), options);
  return { world, deviations, seen, violations: judged(seen) };
}

/** Plays a world in an order that is drawn from the seed. */
export async function playBySeed(world: World, seed: number, options?: PlayOptions): Promise<Played> {
  const draw = drawer(createRandom(seed));
  const deviations = new Map<number, number>();
  const choose: Choose = (open, { length: step }) => {
    const place = open.length > 1 ? draw(open, step) : undefined;
    if (place === undefined || open[place] === usual(open)) return undefined;
    deviations.set(step, place);
    return place;
  };
  const seen = await play(world, choose, options);
  return { world, deviations, seen, violations: judged(seen) };
}

/** Broken promises, logged errors, and histories that never come to rest. */
export function judged({ history, complaints, isComplete }: Seen): Violation[] {
  return [
    ...judge(history),
    ...complaints.map((what) => ({ rule: 'no-error', what })),
    ...(isComplete ? [] : [{ rule: 'rest', what: 'the history comes to no rest' }]),
  ];
}

function drawer(random: () => number): Draw {
  const which = random();
  if (which < 0.5) return byMoves(random);
  return which < 0.8 ? byRank(random) : byChance(random);
}

/** The usual order with one to three deviations: mostly an early act of the outside, sometimes any other point. */
function byMoves(random: () => number): Draw {
  const count = 1 + Math.floor(random() ** 2 * 3);
  const moments = Array.from({ length: count }, () => Math.floor(random() * usualSteps)).sort((a, b) => a - b);
  return (open, step) => {
    if (step < (moments[0] ?? Infinity)) return undefined;
    const acts = open.flatMap(({ isAct }, place) => (isAct ? [place] : []));
    const places = random() < 0.7 ? acts : open.map((_, place) => place);
    const place = places[Math.floor(random() * places.length)];
    if (place !== undefined) moments.shift();
    return place;
  };
}

/**
 * Ranks the processes and people: the highest rank always goes first, and a few times the first one falls to the end.
 * This finds faults that need one process to be late at a few moments far sooner than drawing each step.
 */
function byRank(random: () => number): Draw {
  const ranks = new Map<string, number>();
  const falls = new Set(Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * usualSteps)));
  const rankOf = (actor: string): number => {
    const rank = ranks.get(actor) ?? random();
    ranks.set(actor, rank);
    return rank;
  };
  return (open, step) => {
    const [best] = open
      .map(({ actor }, place) => ({ actor, place, rank: rankOf(actor) }))
      .sort((a, b) => b.rank - a.rank);
    if (best !== undefined && falls.has(step)) ranks.set(best.actor, -step);
    return best?.place;
  };
}

/** Deviates at random: in some histories at nearly every step, in some only a few times. */
function byChance(random: () => number): Draw {
  const often = random() ** 3;
  return (open) => (random() > often ? undefined : Math.floor(random() * open.length));
}
