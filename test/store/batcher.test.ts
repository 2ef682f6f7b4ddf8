import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { createBatcher } from '../../src/store/batcher.ts';

/** A batcher whose flushes are recorded; each item is its own result, unless its flush does something else. */
function open(
  limits: Parameters<typeof createBatcher>[0],
  flush: (items: number[]) => void | Promise<void> = () => {},
) {
  const flushes: number[][] = [];
  const batcher = createBatcher(limits, async (items: number[]) => {
    flushes.push(items);
    await flush(items);
    return items.map((item) => item * 10);
  });
  return { batcher, flushes };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('items added during a flush share the next flush', async () => {
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { batcher, flushes } = open({ maxItems: 2 }, async ([item]) => {
    begun.resolve();
    if (item === 1) await first.promise;
  });
  const one = batcher.add(1);
  await begun.promise;
  const others = [batcher.add(2), batcher.add(3), batcher.add(4)];
  await turns();
  expect(flushes).toEqual([[1]]);
  first.resolve();
  await Promise.all([one, ...others]);
  expect(flushes).toEqual([[1], [2, 3], [4]]);
});

test('a flush that the database did not answer is not repeated, since it may have been stored', async () => {
  const { batcher, flushes } = open({ maxItems: 2 }, (items) => {
    if (items.includes(2)) throw new StoreUnavailable('the connection broke');
  });
  const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(flushes).toEqual([[1, 2], [3]]);
});

test('drain returns when every item was flushed', async () => {
  const { batcher, flushes } = open({ maxItems: 2 });
  for (const item of [1, 2, 3, 4, 5]) void batcher.add(item);
  await batcher.drain();
  expect(flushes.flat()).toEqual([1, 2, 3, 4, 5]);
});

test('after a flush of more than two items the batcher waits so that the next items share a flush', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { batcher, flushes } = open({ maxItems: 10, restMs: 300 });
  await batcher.add(1);
  await Promise.all([batcher.add(2), batcher.add(3)]);
  await Promise.all([batcher.add(4), batcher.add(5), batcher.add(6)]);
  const later = batcher.add(7);
  await turns();
  const last = batcher.add(8);
  vi.advanceTimersByTime(299);
  await turns();
  expect(flushes).toEqual([[1], [2, 3], [4, 5, 6]]);
  vi.advanceTimersByTime(1);
  await Promise.all([later, last]);
  expect(flushes).toEqual([[1], [2, 3], [4, 5, 6], [7, 8]]);
});
