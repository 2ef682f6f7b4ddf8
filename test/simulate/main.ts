import { parseArgs } from 'node:util';
import { drawWorld } from './draw-world.ts';
import { explore, type Failure, faultsOf, follow } from './explore.ts';
import { putBack } from './put-back.ts';
import { playBySeed, sample } from './sample.ts';
import { shrink } from './shrink.ts';
import { realNow } from './virtual-world.ts';
import { play } from './world.ts';
import { boundedWorlds } from './worlds.ts';

/**
 * `npm run test:simulate -- [--seconds 60] [--seed N] [--world <name>]` explores the orders of the small worlds for a
 * quarter of the time, then draws worlds and orders by seed. A failing history is made as short as possible and printed
 * with the line that replays it: `--replay <world or seed> --order 12=1,40=2`. `--faults all` puts mended faults back, one
 * at a time in a copy, each in its small world.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(realNow() % 1_000_000) },
    replay: { type: 'string' },
    order: { type: 'string' },
    faults: { type: 'string' },
    world: { type: 'string' },
  },
});

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
    `To replay: npm run test:simulate -- --replay "${world.name.replace('drawn by seed ', '')}" --order "${[...deviations].map(([step, place]) => `${step}=${place}`).join(',')}"`,
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
  const world = boundedWorlds.find(({ name }) => name === values.replay) ?? drawWorld(Number(values.replay));
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
const wholeMs = Number(values.seconds) * 1_000;
const seed = Number(values.seed);
const rows: string[][] = [];
let played = 0;
const chosen = boundedWorlds.filter(({ name }) => values.world === undefined || name === values.world);
if (chosen.length === 0) throw new Error(`no small world is called ${values.world}`);
for (const [n, world] of chosen.entries()) {
  const untilMs = startedAt + (wholeMs / (values.world === undefined ? 4 : 2)) * ((n + 1) / chosen.length);
  const found = await explore(world, { untilMs });
  played += found.histories;
  if (found.failure !== undefined) await shrinkAndEnd(found.failure, played);
  const how = found.left === 0 ? 'all of them' : `all with ${found.wholeDepth} reversed races; ${found.left} were left`;
  rows.push([world.name, String(found.histories), String(found.distinct), how]);
}
const drawn = await sample(seed, { untilMs: startedAt + wholeMs }, values.world === undefined ? undefined : chosen[0]);
played += drawn.histories;
if (drawn.failure !== undefined) await shrinkAndEnd(drawn.failure, played);
rows.push([`drawn, from seed ${seed} on`, String(drawn.histories), String(drawn.distinct), 'by chance']);
console.log('| World | Histories | Distinct | Orders |\n|---|---|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
console.log(`${Math.round((realNow() - startedAt) / 1_000)} s; every promise was kept in all of them.`);
process.exit(0);
