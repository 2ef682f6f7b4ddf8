import { parseArgs } from 'node:util';
import { hour } from '../../src/core/text/words.ts';
import { follow, type Played, playBySeed } from './draw-order.ts';
import { drawWorld } from './draw-world.ts';
import { putBack } from './put-back.ts';
import { shrink } from './shrink.ts';
import { realNow } from './virtual-world.ts';
import { smallWorlds } from './worlds.ts';

/**
 * `npm --prefix proof run simulate -- [--seconds 60] [--histories N] [--hours N] [--seed N] [--world <name>]` plays the small
 * worlds, or the named one, in their usual order, then worlds and orders that are drawn from the seed. A failing
 * history is shortened and printed with the options that replay it: `--replay <world or seed> --order 12=1,40=2`.
 * `--faults all` puts former faults back, one at a time in a copy, each in its small world.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    histories: { type: 'string', default: 'Infinity' },
    hours: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: process.env.HOSTLER_SEED ?? String(realNow() % 1_000_000) },
    world: { type: 'string' },
    replay: { type: 'string' },
    order: { type: 'string' },
    faults: { type: 'string' },
  },
});

function describe({ world, deviations, violations, seen }: Played): string {
  const order = [...deviations].map(([step, place]) => `${step}=${place}`).join(',');
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
    `To replay: npm --prefix proof run simulate -- --replay "${world.name.replace('drawn by seed ', '')}" --order "${order}"`,
  ].join('\n');
}

async function replay(name: string, order: string | undefined): Promise<boolean> {
  const world = smallWorlds.find((candidate) => candidate.name === name) ?? drawWorld(Number(name));
  const pairs = (order ?? '').split(',').filter((pair) => pair !== '');
  const deviations = new Map(pairs.map((pair) => pair.split('=').map(Number) as [number, number]));
  const played = order === undefined ? await playBySeed(world, Number(name)) : await follow(world, deviations);
  console.log(describe(played));
  return played.violations.length === 0;
}

async function simulate(seed: number, untilMs: number, mostHistories: number): Promise<boolean> {
  const chosen = smallWorlds.filter(({ name }) => values.world === undefined || name === values.world);
  if (chosen.length === 0) throw new Error(`no small world is called ${values.world}`);
  const startedAt = realNow();
  const mostMs = Number(values.hours) * hour;
  let histories = 0;
  let steps = 0;
  let lastedMs = 0;
  const isWellPlayed = async ({ seen, world, ...rest }: Played): Promise<boolean> => {
    histories++;
    steps += seen.steps.length;
    lastedMs += seen.lastedMs;
    const [first] = rest.violations;
    if (first === undefined) return true;
    console.log(`Found after ${histories} histories, in "${world.name}": ${first.rule}: ${first.what}`);
    console.log(describe(await shrink({ seen, world, ...rest })));
    return false;
  };
  // The usual orders are always played, even if the time is short.
  for (const world of chosen) if (!(await isWellPlayed(await follow(world, new Map())))) return false;
  // Adjacent seeds have no history in common.
  for (let n = seed * 100_000; histories < mostHistories && lastedMs < mostMs && realNow() < untilMs; n++) {
    const [only] = values.world === undefined ? [] : chosen;
    if (!(await isWellPlayed(await playBySeed(only ?? drawWorld(n), n)))) return false;
  }
  const seconds = Math.round((realNow() - startedAt) / 1_000);
  console.log(
    `${histories} histories of ${steps} steps and ${Math.round(lastedMs / hour)} simulated hours in ${seconds} s, from seed ${seed} on: every promise was kept in all of them.`,
  );
  return true;
}

const isGood =
  values.faults !== undefined
    ? await putBack(values.faults, values.seed)
    : values.replay !== undefined
      ? await replay(values.replay, values.order)
      : await simulate(Number(values.seed), realNow() + Number(values.seconds) * 1_000, Number(values.histories));
process.exit(isGood ? 0 : 1);
