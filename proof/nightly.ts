import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm --prefix proof run nightly` runs all long checks one by one and prints a table at the end. `--short`, which each
 * release runs, omits the crash suite and the mutants and simulates for two minutes.
 */

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });

interface Part {
  readonly name: string;
  /** The folder of the script's package; proof by default. */
  readonly of?: string;
  readonly words: readonly string[];
  /** Omitted by `--short`. */
  readonly isLong?: true;
}

const parts: readonly Part[] = [
  { name: 'types', words: ['check'] },
  { name: 'tests of the laboratory, the benchmark on trial', words: ['test'] },
  { name: 'simulation', words: ['simulate', '--', '--seconds', values.short ? '120' : '1800'] },
  { name: 'faults put back', words: ['simulate', '--', '--faults', 'all', '--seed', '1'] },
  {
    name: 'specification',
    words: ['spec', ...(values.short ? ['--', '--processes', '1', '--ways', '60', '--histories', '14'] : [])],
  },
  // Needs zdump and the zone data of Debian.
  { name: 'time zones', words: ['zones'], isLong: true },
  // CI kills at a quarter of the random moments only.
  { name: 'crash suite', of: '..', words: ['test:crash'], isLong: true },
  { name: 'mutants of the permission path', words: ['mutants'], isLong: true },
];

const rows: string[] = [];
let failed = 0;
for (const { name, words, of = '.' } of parts.filter(({ isLong }) => !values.short || isLong === undefined)) {
  console.log(`\n==> ${name}`);
  const startedAt = performance.now();
  const child = spawn('npm', ['run', ...words], { cwd: join(import.meta.dirname, of), stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) failed++;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  rows.push(`${code === 0 ? 'passed' : 'FAILED'}  ${minutes.padStart(6)} min  ${name}`);
}
console.log(`\n${rows.join('\n')}`);
process.exit(failed === 0 ? 0 : 1);
