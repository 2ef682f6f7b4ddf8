import { expect, test } from 'vitest';
import { createKeyedRead, createRecentReads } from '../../src/store/shared-reads.ts';

test('a result is kept for half a second, and until a write', async () => {
  let at = 1_000;
  let value = 'first';
  const recent = createRecentReads<string>(() => at);
  const read = () => recent.get('key', async () => value);
  expect(await read()).toBe('first');
  value = 'second';
  at += 400;
  expect(await read()).toBe('first');
  expect(await recent.get('other', async () => value)).toBe('second');
  at += 100;
  expect(await read()).toBe('second');
  value = 'third';
  recent.clear();
  expect(await read()).toBe('third');
  // A clock that is set back does not make the half second longer.
  value = 'fourth';
  at -= 60_000;
  expect(await read()).toBe('third');
  at += 500;
  expect(await read()).toBe('fourth');
});

test('a read that failed is repeated', async () => {
  const recent = createRecentReads<string>(() => 0);
  const fails = () => Promise.reject(new Error('no answer'));
  await expect(recent.get('key', fails)).rejects.toThrow('no answer');
  expect(await recent.get('key', async () => 'answer')).toBe('answer');
});

test('keys that are requested together are read by one query, each once', async () => {
  const questions: (readonly string[])[] = [];
  const read = createKeyedRead(async (keys) => {
    questions.push(keys);
    return new Map(keys.filter((key) => key !== 'gone').map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all([read('b'), read('a'), read('gone'), read('b')])).toEqual(['B', 'A', undefined, 'B']);
  expect(questions).toEqual([['a', 'b', 'gone']]);
});
