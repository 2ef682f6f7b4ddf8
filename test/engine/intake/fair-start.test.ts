import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFairStart } from '../../../src/engine/intake/fair-start.ts';

// On a busy machine, the longest wait would pass between two turns.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => void vi.useRealTimers());

function start() {
  const begun: number[] = [];
  const { arrives, begin } = createFairStart();
  return {
    begun,
    /** An arriving request; the functions say when it is stored or not. */
    arrive: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      arrives(promise);
      return { isStored: resolve, isNotStored: reject };
    },
    ask: (n: number) => void begin().then(() => begun.push(n)),
    turns: async (count: number) => {
      for (let n = 0; n < count; n++) await turn();
    },
  };
}

test('no request begins while an earlier one is being stored, and then all begin in the order of their arrival', async () => {
  const { begun, arrive, ask, turns } = start();
  const [one, two] = [arrive(), arrive()];
  for (const n of [1, 2, 3]) ask(n);
  await turns(3);
  one.isStored();
  await turns(3);
  expect(begun).toEqual([]);
  two.isStored();
  await turns(3);
  expect(begun).toEqual([1, 2, 3]);
});

test('a single request begins in the next turn of the event loop, also when another one could not be stored', async () => {
  const { begun, arrive, ask, turns } = start();
  arrive().isNotStored(new Error('the database is away'));
  await turns(1);
  ask(1);
  await turns(1);
  expect(begun).toEqual([1]);
  ask(2);
  await turns(1);
  expect(begun).toEqual([1, 2]);
});

test('a request that takes long to be stored delays the others only for a moment', async () => {
  const { begun, arrive, ask, turns } = start();
  const slow = arrive();
  for (let n = 0; n < 12; n++) ask(n);
  await vi.advanceTimersByTimeAsync(50);
  await turns(2);
  expect(begun.length).toBe(12);
  slow.isStored();
});

test('many requests begin in several turns of the event loop, so that no turn is long', async () => {
  const { begun, ask, turns } = start();
  for (let n = 0; n < 25; n++) ask(n);
  const counts = [];
  for (let round = 0; round < 3; round++) {
    await turns(1);
    counts.push(begun.length);
  }
  expect(counts).toEqual([10, 20, 25]);
});
