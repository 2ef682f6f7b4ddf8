import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// A setup file of vitest.config.ts, with HOSTLER_TEST_COST=<file> alone: appends a line for each test file, with the
// processor time of its imports and tests and of the processes that ended meanwhile. `sort -rn` puts the dearest first.

const to = process.env.HOSTLER_TEST_COST ?? '';

/** Linux counts the processes that were waited for in hundredths of a second, in the 14th and 15th field behind the name. */
function ofChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + ofChildren();
}

const before = spent();
const startedAt = performance.now();

afterAll(() => {
  const { testPath = '?' } = expect.getState();
  const seconds = (spent() - before).toFixed(2).padStart(7);
  const wall = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  appendFileSync(to, `${seconds} ${wall} ${testPath.slice(testPath.indexOf('/test/') + 1)}\n`);
});
