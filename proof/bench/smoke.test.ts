import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

// Runs the benchmark's command and checks that it measures something. Its figures are not tested.

// JSON has null for NaN and Infinity.
const figures = z.strictObject({ hostler: z.number(), bare: z.number() });
const row = z
  .strictObject({
    ...figures.partial({ bare: true }).shape,
    what: z.string().min(1),
    unit: z.string().min(1),
    ratio: z.number().optional(),
    cpu: figures.optional(),
    goal: z.string().min(1).optional(),
    isMet: z.boolean().optional(),
    note: z.string().optional(),
  })
  .refine(({ goal, isMet }) => (goal === undefined) === (isMet === undefined), 'a goal that nobody held it against');
const measured = z.strictObject({
  at: z.iso.datetime(),
  commit: z.string().optional(),
  amount: z.literal('smoke'),
  machine: z.looseObject({ cores: z.number().positive(), node: z.literal(process.version) }),
  results: z.record(z.string(), z.array(row).min(1)),
});

async function bench(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-bench-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'results', 'smoke.json');
  const child = spawn('npm', ['run', 'bench', '--', '--smoke', '--to', file, ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...more },
    // npm passes no signals on, so an early end has to signal the process group.
    detached: true,
  });
  const out: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => out.push(String(chunk)));
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  const [code] = await once(child, 'close');
  const output = out.join('');
  expect(existsSync(file), output).toBe(true);
  return { code, output, results: measured.parse(JSON.parse(await readFile(file, 'utf8'))) };
}

test('every section of the benchmark measures, each row has a figure, and each goal is judged', async () => {
  const { code, output, results } = await bench([]);
  expect(output).not.toMatch(/not measured|no figure|NaN|undefined/i);
  expect(Object.keys(results.results)).toHaveLength(globSync('proof/bench/sections/*.ts').length);
  const rows = Object.values(results.results);
  for (const section of rows) expect(section.some(({ goal }) => goal !== undefined)).toBe(true);
  for (const { what } of rows.flat()) expect(output).toContain(`| ${what} `);
  const goals = rows.flat().filter(({ goal }) => goal !== undefined);
  expect(output).toContain(`${goals.filter(({ isMet }) => isMet).length} of ${goals.length} goals met`);
  expect(code).toBe(0);
});

test('a section that fails is reported as not measured, also by the exit code', async () => {
  const { code, output, results } = await bench(['answer', 'rate'], { BENCH_FLAGS: '--no-such-flag' });
  expect(output).toContain('Not measured: Error: starting an app to measure: it ended with 9');
  expect(output.match(/^ {2}not measured: .*$/gm)).toEqual([
    '  not measured: Commands per second at saturation',
    "  not measured: From a read command to its posted answer, less the provider's time",
  ]);
  expect(results.results).toEqual({});
  expect(code).toBe(1);
});
