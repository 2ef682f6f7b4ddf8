import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairStart } from '../../src/engine/intake/fair-start.ts';

/** An event loop whose turns take as long as the test says. */
function fakeLoop() {
  let at = 0;
  const begun: string[] = [];
  const fairStart = createFairStart(() => at);
  return {
    begun,
    ask: (name: string) => void fairStart().then(() => begun.push(name)),
    ticks: async (count: number, ms: number) => {
      for (let n = 0; n < count; n++) {
        at += ms;
        await turn();
      }
    },
  };
}

test('one piece begins a turn, first come first served', async () => {
  const { begun, ask, ticks } = fakeLoop();
  for (const name of ['one', 'two', 'three']) ask(name);
  await ticks(1, 0.1);
  expect(begun).toEqual(['one']);
  await ticks(2, 0.1);
  expect(begun).toEqual(['one', 'two', 'three']);
  ask('alone');
  await ticks(1, 0.1);
  expect(begun.at(-1)).toBe('alone');
});

test('none begins while turns are long, and the next at the latest after a tenth of a second', async () => {
  const { begun, ask, ticks } = fakeLoop();
  for (const name of ['one', 'two', 'three']) ask(name);
  await ticks(10, 10);
  expect(begun).toEqual([]);
  await ticks(1, 10);
  expect(begun).toEqual(['one']);
  await ticks(10, 10);
  expect(begun).toEqual(['one']);
  await ticks(2, 0.1);
  expect(begun).toEqual(['one', 'two', 'three']);
});
