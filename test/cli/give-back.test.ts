import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { giveBack } from '../../src/cli/give-back.ts';

const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

test('what the heap grew for is given back, and nobody else gets to collect', () => {
  let kept: unknown[] = [];
  for (let n = 0; n < 400_000; n++) kept.push({ n, words: [`${n}`] });
  const grown = young();
  expect(kept).toHaveLength(400_000);
  kept = [];
  giveBack();
  expect(young()).toBeLessThan(grown / 2);
  expect(globalThis.gc).toBeUndefined();
});
