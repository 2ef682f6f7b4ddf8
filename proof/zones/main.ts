import { parseArgs } from 'node:util';
import type { Temporal as Api } from 'temporal-polyfill';
import { type Answers, answersOf, askBot } from './libraries.ts';
import { hasOtherData } from './other-data.ts';
import { firstYear, lastYear, type Period, periodsOf, versionIn, zonesIn } from './zdump.ts';

/**
 * `npm --prefix proof run zones` compares two libraries and the bot with the system's zone data: every transition from
 * 2026 to 2030 in all zones. It fails for a zone that differs although Node's own data is the system's. `--zoneinfo`
 * names another folder of data; `--quick` follows recurrences around the transitions only.
 */

const { values } = parseArgs({
  options: {
    zoneinfo: { type: 'string', default: '/usr/share/zoneinfo' },
    quick: { type: 'boolean', default: false },
  },
});
const folder = values.zoneinfo;
const libraries = ['temporal-polyfill', '@js-temporal/polyfill'];

const { supported, unknown } = zonesIn(folder);
const all = new Map(supported.map((zone) => [zone, periodsOf(folder, zone)]));
const transitions = [...all.values()].reduce((sum, periods) => sum + periods.length - 1, 0);
console.log(`System ${versionIn(folder)}, Node ${process.version} with ${process.versions.tz}`);
console.log(`${supported.length} zones, ${transitions} transitions from ${firstYear} to ${lastYear}`);
if (unknown.length > 0) console.log(`Not in Node: ${unknown.join(', ')}`);

const other = new Set([...all].filter(([zone, periods]) => hasOtherData(zone, periods)).map(([zone]) => zone));
if (other.size > 0) console.log(`Node has other data for ${[...other].join(', ')}`);

const differing = new Set<string>();
function report(name: string, compute: (zone: string, periods: readonly Period[]) => Answers): void {
  const before = process.cpuUsage();
  const answers = [...all].map(([zone, periods]) => ({ zone, ...compute(zone, periods) }));
  const { user, system } = process.cpuUsage(before);
  const checks = answers.reduce((sum, answer) => sum + answer.checks, 0);
  const wrong = answers.filter(({ differences }) => differences.length > 0);
  for (const { zone } of wrong) if (!other.has(zone)) differing.add(zone);
  const seconds = ((user + system) / 1_000_000).toFixed(1);
  const unexplained = wrong.filter(({ zone }) => !other.has(zone));
  console.log(
    `${name}: ${checks} checks, ${wrong.length} zones differ, ${unexplained.length} of them with the same data; ${seconds} s of processor time`,
  );
  for (const { differences } of unexplained) console.log(`  ${differences[0]} (${differences.length})`);
}

for (const name of libraries) {
  const before = process.cpuUsage();
  const { Temporal } = (await import(name)) as { Temporal: typeof Api };
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: imported in ${((user + system) / 1_000).toFixed(0)} ms of processor time`);
  report(name, (zone, periods) => answersOf(Temporal, zone, periods));
}

const { firstAt, readingsOf } = await import('../../src/core/time/zone.ts');
const wallOf = (ms: number) => {
  const at = new Date(ms);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  return { year, month, day, hours: at.getUTCHours(), minutes: at.getUTCMinutes() };
};
report('the bot’s readings', (zone, periods) =>
  askBot(
    { firstAt: (wall) => firstAt(wallOf(wall), zone), readingsOf: (wall) => readingsOf(wallOf(wall), zone) },
    zone,
    periods,
  ),
);
const { compareRuns } = await import('./runs.ts');
report('the bot’s recurrences', (zone, periods) => {
  const { runs, differences } = compareRuns(zone, periods, values.quick);
  return { checks: runs, differences };
});
process.exit(differing.size === 0 ? 0 : 1);
