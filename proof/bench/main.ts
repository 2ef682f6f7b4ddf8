import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { canPin } from './cores.ts';
import type { Context, Row, Section } from './measure.ts';
import { acknowledge } from './sections/acknowledge.ts';
import { answer } from './sections/answer.ts';
import { durableClick } from './sections/durable-click.ts';
import { durablePostgres } from './sections/durable-postgres.ts';
import { durableSqlite } from './sections/durable-sqlite.ts';
import { growth } from './sections/growth.ts';
import { jobs } from './sections/jobs.ts';
import { saturation } from './sections/saturation.ts';
import { scheduled } from './sections/scheduled.ts';
import { start } from './sections/start.ts';
import { token } from './sections/token.ts';
import { zones } from './sections/zones.ts';
import { table } from './table.ts';

const sections: readonly Section[] = [
  acknowledge,
  saturation,
  answer,
  token,
  start,
  jobs,
  durableSqlite,
  durableClick,
  durablePostgres,
  growth,
  scheduled,
  zones,
];

const usage = `npm run bench -- [--quick | --smoke] [--to file] [section ...]

  section           one of those below, or the beginning of several, such as durable

  --quick           fewer rounds, and nothing that waits for real jobs
  --smoke           as little as gives every row a figure: whether it works, and nothing about how fast
  --to file         where the results are written; proof/bench/results/latest.json without it
${sections.map(({ name, title }) => `  ${name.padEnd(18)}${title}`).join('\n')}

BENCH_PROFILE=folder leaves CPU profiles of Hostler there; BENCH_LOG=1 shows what it logs; BENCH_FLAGS='--flag …' starts
Hostler's node with more flags than the image does.`;

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    to: { type: 'string', default: join(import.meta.dirname, 'results/latest.json') },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
/** Matches a section's name or the first word of its name. */
const isNamed = (section: Section, word: string) => section.name === word || section.name.startsWith(`${word}-`);
const unknown = positionals.filter((word) => !sections.some((section) => isNamed(section, word)));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no section ${unknown.join(', ')}.\n\n${usage}` : usage);
  process.exit(unknown.length > 0 ? 1 : 0);
}

const wanted =
  positionals.length === 0
    ? sections
    : sections.filter((section) => positionals.some((word) => isNamed(section, word)));
const folder = mkdtempSync(join(tmpdir(), 'hostler-bench-'));
const amount = values.smoke ? 'smoke' : values.quick ? 'quick' : 'full';
const context: Context = {
  amount,
  folder,
  say: (line) => console.error(`  … ${line}`),
};
const results: Record<string, readonly Row[]> = {};
const broken: string[] = [];
const startedAt = Date.now();
try {
  for (const section of wanted) {
    console.error(`${section.title}`);
    const since = Date.now();
    try {
      const rows = await section.run(context);
      results[section.name] = rows;
      if (rows.length > 0) console.log(table(section.title, rows));
    } catch (error) {
      // The other sections continue; the end of the run reports this one.
      broken.push(section.title);
      console.log(`\n## ${section.title}\n\nNot measured: ${error instanceof Error ? error.stack : error}\n`);
    }
    console.error(`  ${Math.round((Date.now() - since) / 1_000)} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const all = Object.values(results).flat();
const withGoal = all.filter(({ isMet }) => isMet !== undefined);
const missed = withGoal.filter(({ isMet }) => isMet === false);
const empty = all.filter(({ hostler, bare = 0, ratio = 0 }) => ![hostler, bare, ratio].every(Number.isFinite));
console.log(
  `${withGoal.length - missed.length} of ${withGoal.length} goals met in ${Math.round((Date.now() - startedAt) / 1_000)} s.`,
);
for (const title of broken) console.log(`  not measured: ${title}`);
for (const { what } of empty) console.log(`  no figure: ${what}`);
for (const { what, goal } of missed) console.log(`  missed: ${what} (${goal})`);

const file = resolve(values.to);
mkdirSync(dirname(file), { recursive: true });
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  load: loadavg().map((average) => Number(average.toFixed(1))),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
};
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date(startedAt).toISOString(), commit: commit(), amount, machine, results }, null, 2)}\n`,
);
console.log(
  `${machine.cores} cores for all of it: the app, what asks it, the simulated Slack and provider${canPin ? '; side by side with bare Bolt, the app has one of them' : ''}. Load at the end: ${machine.load.join(', ')}.`,
);
console.log(`Written to ${file}`);
process.exit(broken.length + empty.length > 0 ? 1 : 0);

function commit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
