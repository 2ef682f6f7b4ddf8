import { expect, test } from 'vitest';
import { madeOnce, madeOnceFor } from '../../src/core/async/made-once.ts';

test('what is made of an object is made once, and anew for an equal one', () => {
  let made = 0;
  const wrapped = madeOnce((of: { readonly word: string }) => ({ word: of.word, n: ++made }));
  const one = { word: 'a' };
  expect(wrapped(one)).toBe(wrapped(one));
  expect(wrapped({ word: 'a' })).toEqual({ word: 'a', n: 2 });
});

test('what is made for a key is made once, until there are a hundred other keys', () => {
  const once = madeOnceFor<{ readonly n: number }>();
  let made = 0;
  const make = () => ({ n: ++made });
  expect(once('a', make)).toBe(once('a', make));
  for (let n = 0; n < 100; n += 1) once(`key ${n}`, make);
  expect(once('a', make).n).toBeGreaterThan(100);
});
