import { createRandom } from '../support/random.ts';
import { type Budget, type Failure, faultsOf } from './explore.ts';
import { orderOf } from './happens-before.ts';
import { realNow } from './virtual-world.ts';
import { play, type Seen, type World } from './world.ts';
import { drawWorld } from './worlds.ts';

export interface Sampled {
  readonly histories: number;
  readonly distinct: number;
  readonly failure: Failure | undefined;
}

/** Plays a world in an order drawn by the seed, and keeps where it left the usual one. */
export async function playBySeed(
  world: World,
  seed: number,
): Promise<{ readonly seen: Seen; readonly deviations: ReadonlyMap<number, number> }> {
  const random = createRandom(seed);
  const deviations = new Map<number, number>();
  // Some histories leave the usual order nearly always, some a few times only.
  const often = random() ** 3;
  const seen = await play(world, (open, step) => {
    if (random() > often) return undefined;
    const place = Math.floor(random() * open.length);
    deviations.set(step, place);
    return place;
  });
  return { seen, deviations };
}

/** Draws worlds and orders until the time is over. */
export async function sample(firstSeed: number, { untilMs, mostHistories = Infinity }: Budget): Promise<Sampled> {
  const distinct = new Set<string>();
  let histories = 0;
  for (let seed = firstSeed; realNow() < untilMs && histories < mostHistories; seed++) {
    const world = drawWorld(seed);
    const { seen, deviations } = await playBySeed(world, seed);
    histories++;
    const violations = faultsOf(seen);
    if (violations.length > 0)
      return { histories, distinct: distinct.size, failure: { world, seed, deviations, violations, seen } };
    distinct.add(`${seed} ${orderOf(seen.steps).hash}`);
  }
  return { histories, distinct: distinct.size, failure: undefined };
}
