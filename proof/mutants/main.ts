import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { changedLines } from './changed-lines.ts';
import { groups, type MutantGroup } from './groups.ts';
import { compare, hasReached, type Mutant, mutantsIn } from './report.ts';
import { survivors } from './survivors.ts';

/**
 * `npm --prefix proof run mutants -- [--group votes] [--file fence.ts[:20-30]] [--changed [base]] [--minutes 10] [--progress]`: Stryker changes one expression at a time in
 * the files that decide and write, and a test must fail for each. It fails when a mutant survives that survivors.ts
 * does not list. `--changed` takes only the lines that differ from the base, and stops when the minutes are over.
 */

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    group: { type: 'string' },
    file: { type: 'string' },
    changed: { type: 'boolean', default: false },
    base: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    concurrency: { type: 'string', default: '2' },
    progress: { type: 'boolean', default: false },
  },
});

const untilMs = performance.now() + Number(values.minutes) * 60_000;

/** The mutants with what became of them; undefined when the time was over first. */
async function mutate(group: MutantGroup, parts: readonly string[]): Promise<Mutant[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-mutants-'));
  const report = join(folder, 'report.json');
  const config = {
    mutate: parts,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'proof/mutants/vitest.config.ts', related: false },
    // No file of this name: Stryker would rewrite the paths in it with a TypeScript that version 7 no longer has.
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: join(folder, 'copies'),
    ignorePatterns: [
      'dist',
      'docs-site',
      'site',
      'views',
      'proof/bench',
      'proof/simulate',
      'proof/spec',
      'proof/node_modules',
    ],
    // Longer than a test may take (vitest.config.ts): one that only waits fails by itself, and a busy machine kills nothing.
    timeoutMS: 30_000,
    allowConsoleColors: false,
  };
  const configFile = join(folder, 'stryker.config.json');
  await writeFile(configFile, JSON.stringify(config));
  // One for all: a process of Stryker that is ended for taking too long would leave its own behind.
  const postgres = group.needsPostgres ? await startPostgres() : undefined;
  try {
    const child = spawn(join(root, 'proof/node_modules/.bin/stryker'), ['run', configFile], {
      cwd: root,
      // Node 24 from the project, whatever is installed.
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOSTLER_MUTANT_TESTS: group.tests.join(','),
        HOSTLER_MUTANT_POSTGRES: postgres?.url ?? '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let words = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        words += String(chunk);
        if (values.progress) process.stderr.write(chunk);
      });
    const isOver = setTimeout(() => process.kill(-(child.pid ?? 0)), Math.max(1, untilMs - performance.now()));
    const [code] = await once(child, 'close');
    clearTimeout(isOver);
    if (performance.now() >= untilMs) return undefined;
    if (code !== 0) throw new Error(`Stryker ended with ${code} for ${group.name}:\n${words}`);
    return mutantsIn(await readFile(report, 'utf8'));
  } finally {
    await postgres?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file, or those of its lines that are asked for. */
function wantedOf(file: string): string[] {
  if (values.file === undefined) return [file];
  return values.file.split(',').flatMap((one) => {
    const [end, lines] = one.split(':');
    if (!`/${file}`.endsWith(`/${end}`)) return [];
    return [lines === undefined ? file : `${file}:${lines}`];
  });
}

const fileOf = (part: string) => part.split(':')[0] ?? '';

const chosen = groups
  .filter(({ name }) => values.group === undefined || values.group.split(',').includes(name))
  .map((group) => ({ ...group, wanted: group.files.flatMap(wantedOf) }))
  .filter(({ wanted }) => wanted.length > 0);
if (chosen.length === 0) throw new Error(`no such group; they are ${groups.map(({ name }) => name).join(', ')}`);
const changed = values.changed ? await changedLines(root, values.base) : undefined;
let hasFailed = false;
console.log('| Group | Mutants | Killed | Argued | Open | Goal | Minutes |\n|---|---|---|---|---|---|---|');
for (const group of chosen) {
  const files = group.wanted.map(fileOf);
  const parts = changed?.filter((part) => files.includes(fileOf(part))) ?? group.wanted;
  if (parts.length === 0) continue;
  const startedAt = performance.now();
  const mutants = await mutate(group, parts);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  if (mutants === undefined) {
    console.log(
      `| ${group.name} | not finished in time: run \`npm --prefix proof run mutants -- --group ${group.name}\` | | | | | ${minutes} |`,
    );
    continue;
  }
  const result = compare(
    mutants,
    survivors.filter(({ file }) => parts.map(fileOf).includes(file)),
  );
  const { all, killed, argued, open, slow, stale } = result;
  const share = all === 0 ? '' : ` (${((100 * killed) / all).toFixed(1)} %)`;
  console.log(
    `| ${group.name} | ${all} | ${killed}${share} | ${argued} | ${open.length} | ${group.goal} % | ${minutes} |`,
  );
  for (const { file, line, from, to } of open)
    console.log(`  ${file}:${line}\n    from: ${JSON.stringify(from)}\n    to:   ${JSON.stringify(to)}`);
  for (const { file, line, to } of slow)
    console.log(`  Killed by time alone: ${file}:${line} -> ${JSON.stringify(to)}`);
  // Of some lines alone nothing can be said about the others.
  const isStale = !parts.some((part) => part.includes(':')) && stale.length > 0;
  if (isStale)
    for (const { file, from, to } of stale) console.log(`  Listed, and killed or gone: ${file}: ${from} -> ${to}`);
  if (isStale || !hasReached(group, result)) hasFailed = true;
}
process.exit(hasFailed ? 1 : 0);
