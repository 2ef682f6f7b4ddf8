import { parseArgs } from 'node:util';
import { combinedWorlds } from './combined.ts';
import { drawWorld } from './draw-world.ts';
import { explore, type Failure, faultsOf, follow } from './explore.ts';
import { printStates } from './print-states.ts';
import { putBack } from './put-back.ts';
import { playBySeed, sample } from './sample.ts';
import { shrink } from './shrink.ts';
import { checkSwaps } from './swaps.ts';
import { realNow } from './virtual-world.ts';
import { play } from './world.ts';
import { boundedWorlds } from './worlds.ts';

/**
 * `npm --prefix proof run simulate -- [--seconds 60] [--seed N] [--world <name>]` explores the orders of the small worlds for a
 * quarter of the time (the one that is named for half of it), then draws worlds and orders by seed, `--draws` of them at
 * most. `--states` visits the states of each combined world, or of the one that is named, and then compares the ends of drawn
 * orders with those that it has seen; `--swaps` looks whether orders that count as equal end equally. A failing history is
 * made as short as possible and printed with the line that replays it: `--replay <world or seed> --order 12=1,40=2`.
 * `--faults all` puts mended faults back, one at a time in a copy, each in its small world.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: process.env.HOSTLER_SEED ?? String(realNow() % 1_000_000) },
    replay: { type: 'string' },
    order: { type: 'string' },
    faults: { type: 'string' },
    world: { type: 'string' },
    draws: { type: 'string', default: 'Infinity' },
    swaps: { type: 'boolean', default: false },
    states: { type: 'boolean', default: false },
  },
});

const allWorlds = [...boundedWorlds, ...combinedWorlds];

function describe({ world, deviations, violations, seen }: Failure): string {
  return [
    violations.length > 0 ? `A promise was broken in "${world.name}":` : `Every promise was kept in "${world.name}".`,
    ...violations.map(({ rule, what }) => `  ${rule}: ${what}`),
    'The acts:',
    ...world.threads.flatMap((thread) => thread.map((act) => `  ${JSON.stringify(act)}`)),
    ...(world.faults ?? []).map((fault) => `  fault ${JSON.stringify(fault)}`),
    'The steps:',
    ...seen.steps.flatMap(({ actor, label }, n) => {
      const isLook = /^(timer|select|with|answer|GET|Slack: who) ?/.test(label) && !deviations.has(n);
      return isLook ? [] : [`  ${deviations.has(n) ? '>' : ' '} ${n} ${actor}: ${label}`];
    }),
    'The audit:',
    ...seen.history.audit.map(({ at, kind, actor, data }) => `  ${at} ${kind} ${actor} ${String(data.text)}`),
    `To replay: npm --prefix proof run simulate -- --replay "${world.name.replace('drawn by seed ', '')}" --order "${[...deviations].map(([step, place]) => `${step}=${place}`).join(',')}"`,
  ].join('\n');
}

async function shrinkAndEnd(failure: Failure, histories: number): Promise<never> {
  const [first] = failure.violations;
  console.log(`Found after ${histories} histories, in "${failure.world.name}": ${first?.rule}: ${first?.what}`);
  console.log(describe(await shrink(failure)));
  process.exit(1);
}

if (values.faults !== undefined)
  process.exit((await putBack(values.faults, values.seconds, values.seed)) === 0 ? 0 : 1);

if (values.replay !== undefined) {
  const world = allWorlds.find(({ name }) => name === values.replay) ?? drawWorld(Number(values.replay));
  const pairs = (values.order ?? '').split(',').filter((pair) => pair !== '');
  const deviations = new Map(pairs.map((pair) => pair.split('=').map(Number) as [number, number]));
  const { seen } =
    values.order === undefined
      ? await playBySeed(world, Number(values.replay))
      : { seen: await play(world, follow(deviations)) };
  const violations = faultsOf(seen);
  const failure = { world, seed: 1, deviations, violations, seen };
  console.log(describe(failure));
  process.exit(violations.length > 0 ? 1 : 0);
}

const startedAt = realNow();
if (values.swaps) {
  const untilMs = startedAt + Number(values.seconds) * 1_000;
  const { pairs, swept, difference } = await checkSwaps(allWorlds, Number(values.seed), { untilMs });
  console.log(
    `${pairs} pairs of neighbors changed places, ${swept} of them with a sweep that found nothing.`,
    difference ?? 'Both orders always ended equally.',
  );
  process.exit(difference === undefined ? 0 : 1);
}
const wholeMs = Number(values.seconds) * 1_000;
const seed = Number(values.seed);
const rows: string[][] = [];
let played = 0;
const isNamed = values.world !== undefined;
const chosen = isNamed ? allWorlds.filter(({ name }) => name === values.world) : boundedWorlds;
if (chosen.length === 0) throw new Error(`no small world is called ${values.world}`);
if (values.states) {
  if (isNamed && !chosen.every((world) => combinedWorlds.includes(world)))
    throw new Error('only the states of combined worlds can be visited: they have one request for one server');
  const limits = {
    seconds: Number(values.seconds),
    draws: values.draws === 'Infinity' ? 100 : Number(values.draws),
    seed,
  };
  const { failed, missed } = await printStates(isNamed ? chosen : combinedWorlds, limits);
  if (failed !== undefined) await shrinkAndEnd(failed.failure, failed.histories);
  if (missed > 0)
    console.log(
      `Drawn orders that ended in a state that was not visited as an end: ${missed}. Orders are missed, or states that are the same count as several.`,
    );
  process.exit(missed > 0 ? 1 : 0);
}
let explored: ReadonlySet<string> = new Set();
for (const [n, world] of chosen.entries()) {
  const untilMs = startedAt + (wholeMs / (isNamed ? 2 : 4)) * ((n + 1) / chosen.length);
  const found = await explore(world, { untilMs });
  played += found.histories;
  explored = found.orders;
  if (found.failure !== undefined) await shrinkAndEnd(found.failure, played);
  const how = found.left === 0 ? 'all of them' : `all with ${found.wholeDepth} reversed races; ${found.left} were left`;
  rows.push([world.name, String(found.histories), String(found.orders.size), how]);
}
const budget = { untilMs: startedAt + wholeMs, mostHistories: Number(values.draws) };
const drawn = await sample(seed, budget, isNamed ? chosen[0] : undefined, explored);
played += drawn.histories;
if (drawn.failure !== undefined) await shrinkAndEnd(drawn.failure, played);
// Two pieces of work that know of each other by memory alone are not seen to touch anything, so some may be missing above.
const byChance = isNamed ? `by chance; ${drawn.unknown} in an order that is not above` : 'by chance';
rows.push([`drawn, from seed ${seed} on`, String(drawn.histories), String(drawn.distinct), byChance]);
console.log('| World | Histories | Distinct | Orders |\n|---|---|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
console.log(`${Math.round((realNow() - startedAt) / 1_000)} s; every promise was kept in all of them.`);
process.exit(0);
