import { createRandom } from '../../test/support/random.ts';
import { drawWorld } from './draw-world.ts';
import { type Budget, type Failure, faultsOf } from './explore.ts';
import { orderOf } from './happens-before.ts';
import { type Point, usual } from './scheduler.ts';
import { realNow } from './virtual-world.ts';
import { play, type Seen, type World } from './world.ts';

type Draw = (open: readonly Point[], step: number) => number | undefined;

export interface Sampled {
  readonly histories: number;
  readonly distinct: number;
  /** Histories whose order is none of those that were known before. */
  readonly unknown: number;
  readonly failure: Failure | undefined;
}

/** Plays a world in an order drawn by the seed, and keeps where it left the usual one. */
export async function playBySeed(
  world: World,
  seed: number,
  /** Also in orders in which one process is late for long. */
  hasRanks = false,
): Promise<{ readonly seen: Seen; readonly deviations: ReadonlyMap<number, number> }> {
  const random = createRandom(seed);
  const deviations = new Map<number, number>();
  const draw = hasRanks && random() < 0.7 ? byRank(random) : byChance(random);
  const seen = await play(world, (open, { length: step }) => {
    const place = open.length > 1 ? draw(open, step) : undefined;
    if (place === undefined || open[place] === usual(open)) return undefined;
    deviations.set(step, place);
    return place;
  });
  return { seen, deviations };
}

/**
 * The process or person of the highest rank is always first, and a few times the first one falls to the end. Faults that
 * need one process to be late at a few moments are found far sooner than by drawing each step.
 */
function byRank(random: () => number): Draw {
  const ranks = new Map<string, number>();
  const falls = new Set(Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * 200)));
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

/** Most steps are taken in the usual order, and some in any. */
function byChance(random: () => number): Draw {
  // Some histories leave the usual order nearly always, some a few times only.
  const often = random() ** 3;
  return (open) => (random() > often ? undefined : Math.floor(random() * open.length));
}

/** Draws worlds and orders until the time is over. */
export async function sample(
  firstSeed: number,
  { untilMs, mostHistories = Infinity }: Budget,
  only?: World,
  known: ReadonlySet<string> = new Set(),
): Promise<Sampled> {
  const distinct = new Set<string>();
  let histories = 0;
  let unknown = 0;
  for (let seed = firstSeed; realNow() < untilMs && histories < mostHistories; seed++) {
    const world = only ?? drawWorld(seed);
    const { seen, deviations } = await playBySeed(world, seed, only !== undefined);
    histories++;
    const violations = faultsOf(seen);
    if (violations.length > 0)
      return { histories, distinct: distinct.size, unknown, failure: { world, seed, deviations, violations, seen } };
    const { hash } = orderOf(seen.steps);
    distinct.add(only === undefined ? `${seed} ${hash}` : hash);
    if (!known.has(hash)) unknown++;
  }
  return { histories, distinct: distinct.size, unknown, failure: undefined };
}
