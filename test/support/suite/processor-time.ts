import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { processorSeconds } from './processor-seconds.ts';

// A setup file of vitest.config.ts, with HOSTLER_TEST_COST=<file> alone: appends a line for each test file, with the
// processor time of its imports and tests and of the processes that ended meanwhile. `sort -rn` puts the dearest first.

const to = process.env.HOSTLER_TEST_COST ?? '';

function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + processorSeconds(readFileSync('/proc/self/stat', 'utf8'));
}

const before = spent();
const startedAt = performance.now();

afterAll(() => {
  const { testPath = '?' } = expect.getState();
  const seconds = (spent() - before).toFixed(2).padStart(7);
  const wall = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  appendFileSync(to, `${seconds} ${wall} ${testPath.slice(testPath.indexOf('/test/') + 1)}\n`);
});
