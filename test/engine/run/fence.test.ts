import { afterEach, expect, test, vi } from 'vitest';
import type { WriteContext } from '../../../src/core/command/command.ts';
import { createFence } from '../../../src/engine/run/fence.ts';
import type { Provider } from '../../../src/provider/client.ts';

// Whether one write may still leave, and whether it did.

const minute = 60_000;

afterEach(() => vi.restoreAllMocks());

/** Two clocks: the wall clock, and one that only moves forward. */
function clocks() {
  const at = { wall: 1_000_000, steady: 5_000 };
  vi.spyOn(performance, 'now').mockImplementation(() => at.steady);
  const fence = createFence(() => at.wall);
  return { at, fence };
}

interface Called {
  readonly input: unknown;
  readonly options: { readonly mayStillSend?: () => boolean; readonly hasSlot?: boolean; readonly signal?: unknown };
}

/** A context in which each call is noted. */
function contextOf(called: Called[]): WriteContext<Provider> {
  const restart = (input: unknown, options: Called['options']) => called.push({ input, options });
  const provider = { vps: { restart } };
  const bot = { freeze: async () => 'frozen', alerts: { subscribe: async () => true }, version: 7 };
  // The fence uses nothing else of it.
  return { provider, bot, operation: 'one' } as unknown as WriteContext<Provider>;
}

test('a write may be sent within a minute by both clocks, and counts as sent once it was allowed', () => {
  const { at, fence } = clocks();
  expect(fence.wasSent()).toBe(false);
  at.wall += minute;
  at.steady += minute;
  expect(fence.mayStillSend()).toBe(true);
  expect(fence.wasSent()).toBe(true);
});

test.each([
  ['by the clock of people', { wall: minute + 1, steady: 0 }],
  ['by the clock that only goes on', { wall: 0, steady: minute + 1 }],
  ['although the clock of people was set back', { wall: -60 * minute, steady: minute + 1 }],
])('a write may not be sent after more than a minute: %s', (_, { wall, steady }) => {
  const { at, fence } = clocks();
  at.wall += wall;
  at.steady += steady;
  expect(fence.mayStillSend()).toBe(false);
  expect(fence.wasSent()).toBe(false);
});

test('each call of the provider passes the fence, holds the write slot, and keeps its other options', () => {
  const { fence } = clocks();
  const called: Called[] = [];
  const { provider, operation } = fence.around(contextOf(called));
  expect(operation).toBe('one');
  const signal = new AbortController().signal;
  const input = { order_id: '34-12345' };
  // The fake returns the number of calls.
  expect(provider.vps.restart(input, { signal, hasSlot: false })).toBe(1);
  expect(called).toEqual([{ input, options: { signal, hasSlot: true, mayStillSend: fence.mayStillSend } }]);
  expect(fence.wasSent()).toBe(false);
  expect(called[0]?.options.mayStillSend?.()).toBe(true);
  expect(fence.wasSent()).toBe(true);
});

test.each([
  ['a change of the bot itself', (context: WriteContext<Provider>) => context.bot.freeze, true],
  ['a change of its alerts', (context: WriteContext<Provider>) => context.bot.alerts, true],
  ['reading something of it', (context: WriteContext<Provider>) => Reflect.get(context.bot, 'version'), false],
])('whether %s counts as sent: %s', (_, uses, expected) => {
  const { fence } = clocks();
  const context = fence.around(contextOf([]));
  expect(fence.wasSent()).toBe(false);
  expect(uses(context)).toBeDefined();
  expect(fence.wasSent()).toBe(expected);
});
