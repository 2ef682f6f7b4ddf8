import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { copyTree } from '../../test/support/process/copy-tree.ts';
import { whileBroken, wholeFile } from './break-line.ts';
import { defenses } from './defenses.ts';
import { regressions } from './regressions.ts';
import { projectOf, type Row } from './row.ts';
import { sabotages } from './sabotages.ts';

/**
 * `npm --prefix proof run breakages` breaks the bot on purpose, one line at a time in a copy, and demands that a test
 * notices. A word behind `--` chooses those that have it in their name or in the path of their test; `attacks` chooses the
 * defenses of docs/attacks.md, `regressions` the faults that were found, and `all` adds those that take minutes.
 */

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/.bin/vitest');

/** A bot that was broken on purpose keeps most tests waiting to their end, so they have less time than usual. */
const testMs = 120_000;
const watchMs = 10 * 60_000;
/** No test is left out, since any may be the one that must notice. */
const hurried = { ...process.env, HOSTLER_TEST_PATIENCE_MS: '15000', HOSTLER_NIGHTLY: 'tests' };

const results = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

type Verdict = 'passed' | 'failed' | 'did not run' | 'did not end';

/** The result of the named test in the copy. */
async function watch(copy: string, row: Row): Promise<Verdict> {
  const { test, name } = row;
  const file = join(copy, 'result.json');
  await rm(file, { force: true });
  const named = name === '' ? [] : ['-t', name];
  const json = ['--reporter=json', `--outputFile=${file}`, `--testTimeout=${testMs}`];
  const words = ['run', '--project', projectOf(row), test, ...named, ...json];
  await once(spawn(vitest, words, { cwd: copy, env: hurried, stdio: 'ignore', timeout: watchMs }), 'exit');
  if (!existsSync(file)) return 'did not end';
  const { testResults } = results.parse(JSON.parse(await readFile(file, 'utf8')));
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('passed') ? 'passed' : 'did not run';
}

async function breakAll(some: string | undefined): Promise<number> {
  const lists: Readonly<Record<string, readonly Row[]>> = { attacks: defenses, regressions };
  const chosen =
    lists[some ?? ''] ??
    (some === undefined || some === 'all' ? sabotages : [...sabotages, ...regressions, ...defenses]).filter(
      ({ what, test, isSlow }) =>
        some === undefined ? isSlow !== true : some === 'all' || what.includes(some) || test.includes(some),
    );
  if (chosen.length === 0) throw new Error(`no breakage in sabotages.ts has "${some}" in its name`);
  const copy = await copyTree();
  let misses = 0;
  const wholes = new Map<string, Verdict>();
  try {
    for (const row of chosen) await wholeFile(copy.folder, row);
    for (const row of chosen) {
      const key = `${row.test} ${row.name}`;
      const before = wholes.get(key) ?? (await watch(copy.folder, row));
      wholes.set(key, before);
      const after = await whileBroken(copy.folder, row, () => watch(copy.folder, row));
      const isCaught = before === 'passed' && after === 'failed';
      if (!isCaught) misses++;
      const verdict = isCaught ? 'noticed' : `NOT NOTICED (whole: ${before}, broken: ${after})`;
      console.log(
        `${row.what}\n  ${row.file}\n  ${verdict} by ${row.test}${row.name === '' ? '' : `, "${row.name}…"`}`,
      );
    }
  } finally {
    await copy.remove();
  }
  console.log(`${chosen.length} breakages, ${chosen.length - misses} noticed`);
  return misses === 0 ? 0 : 1;
}

process.exitCode = await breakAll(process.argv[2]);
