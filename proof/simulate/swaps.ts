import { createRandom } from '../../test/support/random.ts';
import type { Budget } from './explore.ts';
import { depend } from './happens-before.ts';
import { keyedTables } from './rows.ts';
import { playBySeed } from './sample.ts';
import type { Step } from './scheduler.ts';
import { sweeps } from './sweeps.ts';
import { realNow } from './virtual-world.ts';
import { play, type Seen, type World } from './world.ts';

/**
 * Exploring plays one of two orders that differ only in steps which touch nothing in common. Here both are played: orders are
 * drawn, two neighbors that are called independent change places, and the same steps must lead to the same end.
 */

export interface Swapped {
  readonly pairs: number;
  /** Pairs of which one is a sweep that had nothing to find. */
  readonly swept: number;
  /** Undefined when both orders always ended equally. */
  readonly difference: string | undefined;
}

export async function checkSwaps(worlds: readonly World[], firstSeed: number, { untilMs }: Budget): Promise<Swapped> {
  let pairs = 0;
  let swept = 0;
  for (let seed = firstSeed; pairs === 0 || realNow() < untilMs; seed++) {
    const world = worlds[seed % worlds.length];
    if (world === undefined) break;
    const { seen } = await playBySeed(world, seed, seed % 2 === 0);
    const end = await endOf(seen);
    const places = swappable(seen.steps);
    const random = createRandom(seed);
    for (let n = 0; n < mostOfOne && places.length > 0 && (pairs === 0 || realNow() < untilMs); n++) {
      const [place = 0] = places.splice(Math.floor(random() * places.length), 1);
      const order = seen.steps.map(({ name }) => name);
      [order[place], order[place + 1]] = [order[place + 1] ?? '', order[place] ?? ''];
      const other = await play(world, (open, { length }) => {
        const found = open.findIndex(({ name }) => name === order[length]);
        return found < 0 ? undefined : found;
      });
      pairs++;
      if ([seen.steps[place], seen.steps[place + 1]].some(isSweep)) swept++;
      const difference = firstDifference(end, await endOf(other));
      if (difference === undefined) continue;
      const [a, b] = [seen.steps[place], seen.steps[place + 1]].map((step) => `${step?.actor}: ${step?.label}`);
      return { pairs, swept, difference: `"${world.name}", seed ${seed}, step ${place}: ${a} | ${b}: ${difference}` };
    }
  }
  return { pairs, swept, difference: undefined };
}

const mostOfOne = 5;
const sweepNames = new Set(sweeps.map(({ name }) => name));

function isSweep(step: Step | undefined): boolean {
  return step?.resources.some(({ name, isWrite }) => sweepNames.has(name) && !isWrite) === true;
}

/** Places whose step could as well have come after the next one. Two timers are due in their order, and so is what only time allows. */
function swappable(steps: readonly Step[]): number[] {
  return steps.flatMap((step, n) => {
    const next = steps[n + 1];
    const isFree = next !== undefined && step.enabled.includes(next.point);
    const hasTimer = [step, next].some((one) => one?.label === 'timer');
    return next !== undefined && isFree && !hasTimer && !depend(step.resources, next.resources) ? [n] : [];
  });
}

/** Everything that can be seen of the end, without the times: a step that comes earlier has another one. */
async function endOf({ history, read }: Seen): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const table of keyedTables)
    for (const row of await read(`select * from "${table}"`)) rows.push(`row of ${table}: ${JSON.stringify(row)}`);
  rows.push(...history.writes.map((one) => `write ${JSON.stringify(one)}`));
  // Messages of two places are in no order.
  rows.push(...history.posts.map(({ message, ...post }) => `post ${JSON.stringify(post)}`));
  rows.push(...history.audit.map(({ kind, actor, data }) => `audit ${kind} ${actor} ${JSON.stringify(data)}`));
  return rows.map(withoutTimes).sort();
}

/** Ids of attempts are drawn by the step. People who approved stand in the order of their times. */
function withoutTimes(text: string): string {
  return text
    .replace(/\b17\d{8,11}(\.\d+)?\b/g, 'a time')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'an attempt')
    .replace(/"(seq|message)":"?[\d.]+"?/g, '')
    .replace(/approved by .*/, (names) => {
      const inOrder = names.match(/\bU0\w+/g)?.sort() ?? [];
      return names.replace(/\bU0\w+/g, () => inOrder.shift() ?? '');
    });
}

function firstDifference(one: readonly string[], other: readonly string[]): string | undefined {
  const lost = one.find((row) => !other.includes(row));
  const more = other.find((row) => !one.includes(row));
  return lost === undefined && more === undefined && one.length === other.length
    ? undefined
    : `${lost ?? 'nothing'} became ${more ?? 'nothing'}`;
}
