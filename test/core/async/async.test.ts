import { expect, test } from 'vitest';
import { eachAtMost } from '../../../src/core/async/each-at-most.ts';
import { createForwardClock } from '../../../src/core/async/forward-clock.ts';
import { createKeyedQueue, enterQueue } from '../../../src/core/async/keyed-queue.ts';
import { createRateLimit } from '../../../src/core/async/rate-limit.ts';
import { createSharedRuns } from '../../../src/core/async/shared-runs.ts';
import { orLate, within } from '../../../src/core/async/within.ts';

test('eachAtMost handles every item once, in order, with a maximum at the same time', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  await eachAtMost(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('eachAtMost throws an error after the items under way have ended, and begins no other item', async () => {
  const ended: number[] = [];
  const second = Promise.withResolvers<void>();
  const work = eachAtMost(2, [1, 2, 3, 4], async (item) => {
    if (item === 1) throw new Error('the first');
    await second.promise;
    ended.push(item);
  });
  expect(await within(work, 1)).toEqual({ kind: 'late' });
  second.resolve();
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

test('a person above the limit is refused with a message, again after ten seconds, and accepted after a minute', () => {
  let now = 0;
  const { admit } = createRateLimit(2, () => now);
  const at = (seconds: number, person = 'operator') => {
    now = seconds * 1_000;
    return admit(person);
  };
  expect([at(0), at(1), at(2), at(3), at(11)]).toEqual(['yes', 'yes', 'no_first', 'no_again', 'no_again']);
  expect([at(12), at(13), at(22)]).toEqual(['no_first', 'no_again', 'no_first']);
  expect(at(23, 'lead')).toBe('yes');
  expect([at(60), at(60.5), at(61)]).toEqual(['yes', 'no_first', 'yes']);
});

test('a repeated request counts once, and its refusal is reported when it is read', () => {
  const { admit, giveBack } = createRateLimit(1, () => 0);
  giveBack('operator', admit('operator'));
  expect(admit('operator')).toBe('yes');
  giveBack('operator', admit('operator'));
  expect(admit('operator')).toBe('no_first');
});

test('callers during a run share the next run, also when the first one fails', async () => {
  const ends: (() => void)[] = [];
  let runs = 0;
  const run = createSharedRuns(async (key) => {
    const mine = ++runs;
    await new Promise<void>((resolve) => ends.push(resolve));
    if (mine === 1) throw new Error('the first');
    return `${key} ${mine}`;
  });
  const first = run('a');
  const shared = [run('a'), run('a'), run('a')];
  const other = run('b');
  expect(runs).toBe(2);
  ends.shift()?.();
  await expect(first).rejects.toThrow('the first');
  await expect.poll(() => runs).toBe(3);
  for (const end of ends) end();
  expect(await Promise.all(shared)).toEqual(['a 3', 'a 3', 'a 3']);
  expect(await other).toBe('b 2');
  const later = run('a');
  ends.at(-1)?.();
  expect(await later).toBe('a 4');
});

test('a turn lasts until it is given back, and turns are given in the order of the calls', async () => {
  const queue = createKeyedQueue();
  const seen: string[] = [];
  const end = await enterQueue(queue, 'file');
  const second = enterQueue(queue, 'file').then((giveBack) => {
    seen.push('second');
    return giveBack;
  });
  const third = queue('file', async () => seen.push('third'));
  (await enterQueue(queue, 'another file'))();
  expect(seen).toEqual([]);
  end();
  (await second)();
  await third;
  expect(seen).toEqual(['second', 'third']);
});

test('the clock runs on while the wall clock is set back, and follows it forward', () => {
  let wall = 1_000_000;
  const elapsed = createForwardClock(() => wall);
  const start = elapsed();
  wall += 5_000;
  expect(elapsed() - start).toBeGreaterThanOrEqual(5_000);
  wall -= 3_600_000;
  const before = elapsed();
  expect(before - start).toBeGreaterThanOrEqual(5_000);
  const until = performance.now() + 5;
  while (performance.now() < until);
  expect(elapsed() - before).toBeGreaterThanOrEqual(5);
});
