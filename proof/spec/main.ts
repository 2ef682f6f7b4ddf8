import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createCoverage } from './coverage.ts';
import { playOrders, playWay } from './engine.ts';
import type { Observed } from './observe.ts';
import { openPage, type Page, pagePath, refusedAt, rowsOf } from './page.ts';
import { visitAll } from './visit.ts';

/**
 * `npm --prefix proof run spec -- [--processes 2] [--ways 1000] [--histories 70]` visits all states of
 * proof/spec/request.qnt, plays paths through it in the engine, and checks that it allows the engine's actions.
 */

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '2' },
    ways: { type: 'string', default: '1000' },
    histories: { type: 'string', default: '70' },
  },
});

const text = await readFile(pagePath, 'utf8');
const both = 'pure val processes = Set("first", "second")';
if (!text.includes(both)) throw new Error(`the page does not say ${both}`);

const page = await openPage(values.processes === '1' ? text.replace(both, 'pure val processes = Set("first")') : text);
const coverage = createCoverage();
const { states, transitions, brokenAt, wayTo } = visitAll(page, coverage.visitor);
if (brokenAt !== undefined) {
  console.log(`A promise is broken after these actions:\n  ${wayTo(brokenAt).join('\n  ')}`);
  process.exit(1);
}
console.log(
  `${states} states of the page were visited, which are all, by ${transitions} transitions: no promise is broken.`,
);

const ways = coverage.ways().slice(0, Number(values.ways));
const played: (readonly Observed[])[] = [];
for (const { place, last } of ways) played.push(await playWay(withRows(page, [...wayTo(place), last])));
const orders = await playOrders(Number(values.histories));
const whole = await openPage(text);
for (const actions of [...played, ...orders]) mustBeAllowed(whole, actions);
for (const actions of [...played, ...orders]) coverage.see(actions);
console.log(
  `The engine played ${played.length} ways through the page and ${orders.length} other histories; the page allows them.`,
);
const unseen = coverage.unseen();
console.log(
  `Of ${coverage.allowed()} pairs of what the rows say and an action of the bot, these were not seen: ${unseen.join(', ') || 'none'}.`,
);
process.exit(0);

/** Each action with the state of the rows before it. */
function withRows(of: Page, actions: readonly string[]): Observed[] {
  let at = of.start;
  return actions.map((action) => {
    const observed = { action, ...rowsOf(at) };
    at = of.after(at, action) ?? at;
    return observed;
  });
}

function mustBeAllowed(of: Page, actions: readonly Observed[]): void {
  const refused = refusedAt(
    of,
    actions.map(({ action }) => action),
  );
  if (refused === undefined) return;
  console.log(`The page does not allow action ${refused + 1} of this history of the engine:`);
  for (const [n, { state, write, action }] of actions.entries())
    console.log(`${n === refused ? '>' : ' '} ${state}/${write} ${action}`);
  process.exit(1);
}
