import { type Exhausted, exhaust } from './exhaust.ts';
import type { Failure } from './explore.ts';
import { playBySeed } from './sample.ts';
import { realNow } from './virtual-world.ts';
import type { World } from './world.ts';

interface Printed {
  readonly failed: { readonly failure: Failure; readonly histories: number } | undefined;
  /** Drawn orders that ended in a state which was not visited as an end. */
  readonly missed: number;
}

/** Visits all states of each world, each in so many seconds, and prints a row; ends with the first failure. */
export async function printStates(
  worlds: readonly World[],
  { seconds, draws, seed }: { readonly seconds: number; readonly draws: number; readonly seed: number },
): Promise<Printed> {
  let missed = 0;
  console.log('| World | Histories | States | Ends | Played on twice | Choices left | Drawn | Ended otherwise |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const world of worlds) {
    const found = await exhaust(world, { untilMs: realNow() + seconds * 1_000 });
    const { failure, histories, states, ends, compared, left } = found;
    if (failure !== undefined) return { failed: { failure, histories }, missed };
    const drawn = left > 0 ? [] : await drawEnds(world, { draws, seed }, found);
    const others = drawn.filter((isKnown) => !isKnown).length;
    missed += others;
    const row = [world.name, histories, states, ends.size, compared, left, drawn.length, others];
    console.log(`| ${row.join(' | ')} |`);
  }
  return { failed: undefined, missed };
}

/** Draws orders of the world, and answers for each whether it ends in a state that was visited as an end. */
async function drawEnds(
  world: World,
  { draws, seed }: { readonly draws: number; readonly seed: number },
  { ends }: Exhausted,
): Promise<boolean[]> {
  const known: boolean[] = [];
  for (let n = 0; n < draws; n++) {
    const { seen } = await playBySeed(world, seed + n, true);
    known.push(ends.has(await seen.stateAtEnd()));
  }
  return known;
}
