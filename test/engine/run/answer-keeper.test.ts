import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnswerKeeper } from '../../../src/engine/run/answer-keeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const lines: unknown[] = [];
  const woken: string[] = [];
  const log = {
    debug() {},
    warn() {},
    info: (fields: object, text: string) => void lines.push({ info: text, ...fields }),
    error: (fields: object, text: string) => void lines.push({ error: text, ...fields }),
  };
  const keeper = createAnswerKeeper(log, (operation) => void woken.push(operation));
  return { keeper, lines, woken };
}

const fields = { operation: 'op1', step: 2, answer: 'job 812' };
const noStored = 'could not store the provider response; it is kept in memory and retried';

/** Fails `times` times, and counts the attempts. */
function failing(times: number) {
  const store = vi.fn(async () => {
    if (store.mock.calls.length <= times) throw new Error(`no ${store.mock.calls.length}`);
  });
  return store;
}

test('an answer that is stored at once leaves the memory, and wakes no request', async () => {
  const { keeper, lines, woken } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const kept = keeper.keep(fields, () => promise);
  expect([keeper.has('op1', 2), keeper.has('op1', 1), keeper.has('op2', 2)]).toEqual([true, false, false]);
  resolve();
  expect(await kept).toBe(true);
  expect(keeper.has('op1', 2)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
  expect([lines, woken]).toEqual([[], []]);
});

test('an answer that cannot be stored is retried less and less often, and wakes its request when it is stored', async () => {
  const { keeper, lines, woken } = open();
  const store = failing(8);
  expect(await keeper.keep(fields, store)).toBe(false);
  expect(lines).toEqual([{ error: noStored, ...fields, err: new Error('no 1') }]);
  for (const [tries, ms] of [50, 200, 500, 1_000, 2_000, 5_000, 5_000].entries()) {
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(store).toHaveBeenCalledTimes(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(store).toHaveBeenCalledTimes(tries + 2);
    expect(keeper.has('op1', 2)).toBe(true);
  }
  expect(woken).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines.at(-1)).toEqual({ info: 'stored the provider response after a retry', ...fields });
  expect(woken).toEqual(['op1']);
  expect(keeper.has('op1', 2)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a later answer for the same step stays when the earlier one is stored', async () => {
  const { keeper } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const earlier = keeper.keep(fields, () => promise);
  await keeper.keep(fields, failing(1));
  resolve();
  await earlier;
  expect(keeper.has('op1', 2)).toBe(true);
  await vi.advanceTimersByTimeAsync(50);
  expect(keeper.has('op1', 2)).toBe(false);
});

test('a stop tries each answer once more at once, and then gives up', async () => {
  const { keeper, woken } = open();
  const [one, other] = [failing(1), failing(9)];
  await keeper.keep(fields, one);
  await keeper.keep({ ...fields, step: 3 }, other);
  await keeper.stop();
  expect([one, other].map((store) => store.mock.calls.length)).toEqual([2, 2]);
  expect(woken).toEqual(['op1']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([one, other].map((store) => store.mock.calls.length)).toEqual([2, 2]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['stored', 0, 1],
  ['failed', 1, 2],
])('a stop waits for the attempt under way; one that %s is made %i more times', async (_, failures, calls) => {
  const { keeper } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const inner = failing(failures);
  let under = 0;
  const store = vi.fn(async () => {
    expect(++under).toBe(1);
    if (store.mock.calls.length === 1) await promise;
    await inner().finally(() => under--);
  });
  const kept = keeper.keep(fields, store);
  const stopped = keeper.stop();
  await vi.advanceTimersByTimeAsync(10);
  expect(store).toHaveBeenCalledTimes(1);
  resolve();
  await Promise.all([kept, stopped]);
  expect(store).toHaveBeenCalledTimes(calls);
  expect(vi.getTimerCount()).toBe(0);
});
