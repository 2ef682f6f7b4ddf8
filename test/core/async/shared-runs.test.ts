import { expect, test } from 'vitest';
import { createKeyedQueue, enterQueue } from '../../../src/core/async/keyed-queue.ts';
import { createSharedRuns } from '../../../src/core/async/shared-runs.ts';

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
