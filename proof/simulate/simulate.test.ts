import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../../test/support/process/run-script.ts';

// The simulation replaces clocks and randomness, so it runs in a separate process.

const simulate = (...args: string[]) => runScript(join(import.meta.dirname, 'main.ts'), ...args);

test('no promise is broken in five seconds of simulation', async () => {
  const { code, text } = await simulate('--seconds', '5');
  expect(text).toContain('every promise was kept');
  expect(code).toBe(0);
});

test('a seed always gives the same history', async () => {
  const [first, second, other] = await Promise.all(['7', '7', '8'].map((seed) => simulate('--replay', seed)));
  expect(first?.text).toContain('says');
  expect(second?.text).toBe(first?.text);
  expect(other?.text).not.toBe(first?.text);
});

test('a history is replayed from the places at which it leaves the usual order', async () => {
  const killed = 'two approvers, two clicks, a kill';
  const { text } = await simulate('--replay', killed, '--order', '122=0');
  expect(text).toContain(`Every promise was kept in "${killed}".`);
  expect(text).toMatch(/^ {2}> 122 /m);
});

test('a fault that is put back is found', async () => {
  const { code, text } = await simulate('--faults', 'self', '--seed', '1');
  expect(text).toContain('| approved | an approver asks, and approves | 1 |');
  expect(code).toBe(0);
});
