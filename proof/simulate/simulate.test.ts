import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../../test/support/run-script.ts';

// The simulation puts clocks and chance of its own in place of the real ones, so it is a process of its own. An exploration
// ends when it is complete, long before its seconds are over, also on a machine with other work.

const simulate = (...args: string[]) => runScript(join(import.meta.dirname, 'main.ts'), ...args);

test('no promise is broken in five seconds of simulation', { timeout: 90_000 }, async () => {
  const { code, text } = await simulate('--seconds', '5');
  expect(text).toContain('every promise was kept');
  expect(code).toBe(0);
});

test('neighbors that touch nothing in common may change places, sweeps that find nothing too', {
  timeout: 90_000,
}, async () => {
  const { code, text } = await simulate('--swaps', '--seconds', '10', '--seed', '1');
  expect(text).toMatch(
    /changed places, [1-9]\d* of them with a sweep that found nothing\. Both orders always ended equally/,
  );
  expect(code).toBe(0);
});

test('orders that are drawn are among those that were explored', { timeout: 400_000 }, async () => {
  const limits = ['--seconds', '300', '--draws', '20', '--seed', '1'];
  const { text } = await simulate('--world', 'one approves, two clicks', ...limits);
  expect(text).toContain('| all of them |');
  expect(text).toMatch(/\| 20 \| .* by chance; 0 in an order that is not above/);
});

test('orders that are drawn with a kill are among those that were explored', { timeout: 300_000 }, async () => {
  // A kill is in a race with timers, and a process that comes up with people.
  const { text } = await simulate('--world', 'asked, and a kill', '--seconds', '200', '--draws', '30', '--seed', '1');
  expect(text).toContain('| all of them |');
  expect(text).toMatch(/\| 30 \| .* by chance; 0 in an order that is not above/);
});

test.each([
  'one approves, two clicks, late messages',
  'one approves, a change by hand, coarse steps',
  'one approves, a kill of the second, coarse steps',
])('orders that are drawn of "%s" end in states that were visited as ends', { timeout: 400_000 }, async (world) => {
  const limits = ['--seconds', '300', '--draws', '30', '--seed', '1'];
  const { text } = await simulate('--states', '--world', world, ...limits);
  const row = text.split('\n').find((line) => line.includes(world)) ?? '';
  const [, histories = 0, states, ends, compared, ...left] = row.split('|').slice(1, -1).map(Number);
  expect(states).toBeGreaterThan(10 * histories);
  expect(ends).toBeGreaterThan(1);
  expect(compared).toBeGreaterThan(0);
  // Choices left, orders drawn, ended otherwise.
  expect(left).toEqual([0, 30, 0]);
});

test('a seed always gives the same history', { timeout: 60_000 }, async () => {
  const [first, second, other] = await Promise.all(['7', '7', '8'].map((seed) => simulate('--replay', seed)));
  expect(first?.text).toContain('says');
  expect(second?.text).toBe(first?.text);
  expect(other?.text).not.toBe(first?.text);
});

test('a job of the provider continues when the process that started it is killed', { timeout: 60_000 }, async () => {
  const killed = 'two approvers, two clicks, a kill';
  const { text } = await simulate('--replay', killed, '--order', '122=0');
  expect(text).toContain(`Every promise was kept in "${killed}".`);
});
