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
  readonly command: readonly [program: string, ...words: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Omitted by `--short`. */
  readonly isLong?: true;
}

const script = (...words: string[]) => ['npm', '--prefix', 'proof', 'run', ...words] as const;
const inClone = (place: string) => ['.ci/in-clone', place, 'npm ci && npm test'] as const;

const year = new Date().getUTCFullYear();

/** Both changes of the clocks in Europe, where the people of the tests live: 01:00 UTC on the last Sunday of the month. */
function lastSunday(month: number): Date {
  const last = new Date(Date.UTC(year + 1, month + 1, 0, 1));
  last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  return last;
}

/** The moments at which days, years and hours are not as usual: each test file begins two seconds before one. */
const moments: readonly (readonly [name: string, at: Date])[] = [
  ['New Year', new Date(Date.UTC(year, 11, 31, 23))],
  ['the hour that is skipped', lastSunday(2)],
  ['the hour that comes twice', lastSunday(9)],
];

const parts: readonly Part[] = [
  { name: 'types', command: script('check') },
  { name: 'tests of the laboratory, the benchmark on trial', command: script('test') },
  { name: 'simulation', command: script('simulate', '--', '--seconds', values.short ? '120' : '1800') },
  { name: 'faults put back', command: script('simulate', '--', '--faults', 'all', '--seed', '1') },
  {
    name: 'specification',
    command: script('spec', ...(values.short ? ['--', '--processes', '1', '--ways', '60', '--histories', '14'] : [])),
  },
  // Needs zdump and the zone data of Debian.
  { name: 'time zones', command: script('zones'), isLong: true },
  // Whole; CI samples them.
  ...['crash', 'process', 'browser', 'neighbors', 'package'].map(
    (name): Part => ({
      name: `${name} suite`,
      command: ['npm', 'run', `test:${name}`],
      env: { HOSTLER_NIGHTLY: '1' },
      isLong: true,
    }),
  ),
  ...moments.map(
    ([name, at]): Part => ({
      name: `npm test, whole, over ${name}`,
      command: ['npm', 'test'],
      env: { HOSTLER_NIGHTLY: '1', HOSTLER_TEST_CLOCK: at.toISOString() },
      isLong: true,
    }),
  ),
  // CI does the first of these with its own seed, and runs only a few files as another user.
  { name: "npm test in root's home", command: inClone('private'), isLong: true },
  { name: 'npm test as an ordinary user', command: inClone('nobody'), isLong: true },
  { name: 'mutants of the permission path', command: script('mutants'), isLong: true },
];

const rows: string[] = [];
let failed = 0;
for (const { name, command, env } of parts.filter(({ isLong }) => !values.short || isLong === undefined)) {
  console.log(`\n==> ${name}`);
  const startedAt = performance.now();
  const [program, ...rest] = command;
  const child = spawn(program, rest, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, 'close');
  if (code !== 0) failed++;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  rows.push(`${code === 0 ? 'passed' : 'FAILED'}  ${minutes.padStart(6)} min  ${name}`);
}
console.log(`\n${rows.join('\n')}`);
process.exit(failed === 0 ? 0 : 1);
