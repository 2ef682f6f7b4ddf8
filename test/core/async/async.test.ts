import { expect, test } from 'vitest';
import { eachAtMost } from '../../../src/core/async/each-at-most.ts';
import { orLate, within } from '../../../src/core/async/within.ts';
import { defined } from '../../../src/core/text/defined.ts';

test('eachAtMost handles every item once, in order, with a maximum at the same time', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  await eachAtMost(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, item % 2));
    running--;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('eachAtMost throws an error after the items under way have ended, and begins no other item', async () => {
  const ended: number[] = [];
  const work = eachAtMost(2, [1, 2, 3, 4], async (item) => {
    if (item === 1) throw new Error('the first');
    await new Promise((resolve) => setTimeout(resolve, 5));
    ended.push(item);
  });
  await expect(work).rejects.toThrow('the first');
  expect(ended).toEqual([2]);
});

test('within tells whether a promise is done, failed or late', async () => {
  const never = new Promise<never>(() => {});
  expect(await within(Promise.resolve(1), 1_000)).toEqual({ kind: 'done', value: 1 });
  expect(await within(Promise.reject(new Error('no')), 1_000)).toEqual({ kind: 'failed', error: new Error('no') });
  expect(await within(never, 1)).toEqual({ kind: 'late' });
  await expect(orLate(never, 1, () => new Error('late'))).rejects.toThrow('late');
  expect(await orLate(Promise.resolve(2), 1_000, () => new Error('late'))).toBe(2);
});

test('defined leaves out only what is undefined', () => {
  expect(defined({ a: undefined, b: null, c: '', d: 0, e: false })).toStrictEqual({ b: null, c: '', d: 0, e: false });
});
