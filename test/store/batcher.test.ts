import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { createBatcher } from '../../src/store/batcher.ts';

test('items added in one turn of the event loop share a flush, and each caller gets its own result', async () => {
  const flushes: number[][] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      flushes.push(items);
      return items.map((item) => item * 10);
    },
    { maxItems: 100 },
  );
  expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual([10, 20, 30]);
  expect(flushes).toEqual([[1, 2, 3]]);
});

test('items added during a flush share the next flush', async () => {
  const flushes: number[][] = [];
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const batcher = createBatcher(
    async (items: number[]) => {
      flushes.push(items);
      begun.resolve();
      if (flushes.length === 1) await first.promise;
      return items;
    },
    { maxItems: 2 },
  );
  const one = batcher.add(1);
  await begun.promise;
  const others = [batcher.add(2), batcher.add(3), batcher.add(4)];
  expect(flushes).toEqual([[1]]);
  first.resolve();
  await Promise.all([one, ...others]);
  expect(flushes).toEqual([[1], [2, 3], [4]]);
});

test('an item that cannot be stored fails alone', async () => {
  const batcher = createBatcher(
    async (items: number[]) => {
      if (items.includes(2)) throw new Error('2 is odd here');
      return items;
    },
    { maxItems: 2 },
  );
  const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(batcher.add(4)).resolves.toBe(4);
});

test('a flush that the database did not answer is not repeated, since it may have been stored', async () => {
  const flushes: number[][] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      flushes.push(items);
      if (items.includes(2)) throw new StoreUnavailable('the connection broke');
      return items;
    },
    { maxItems: 2 },
  );
  const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(flushes).toEqual([[1, 2], [3]]);
});

test('drain returns when every item was flushed', async () => {
  const flushed: number[] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      flushed.push(...items);
      return items;
    },
    { maxItems: 2 },
  );
  for (const item of [1, 2, 3, 4, 5]) void batcher.add(item);
  await batcher.drain();
  expect(flushed).toEqual([1, 2, 3, 4, 5]);
});

test('after a flush of several items the batcher waits so that the next items share a flush; a single item does not wait', async () => {
  const flushes: { items: number[]; at: number }[] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      flushes.push({ items, at: performance.now() });
      return items;
    },
    { maxItems: 10, restMs: 300 },
  );
  await batcher.add(1);
  await batcher.add(2);
  await Promise.all([batcher.add(3), batcher.add(4)]);
  const later = batcher.add(5);
  await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.all([later, batcher.add(6)]);
  expect(flushes.map(({ items }) => items)).toEqual([[1], [2], [3, 4], [5, 6]]);
  // The pause counts from the due time of the previous flush, which a busy machine may begin later.
  expect((flushes[3]?.at ?? 0) - (flushes[2]?.at ?? 0)).toBeGreaterThanOrEqual(200);
});
