import { expect, test } from 'vitest';
import { createKeyedRead, createSharedRead } from '../../src/store/shared-reads.ts';

test('callers of one turn of the event loop share a read', async () => {
  let readings = 0;
  const read = createSharedRead(async () => ++readings);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(2);
});

test('a caller who comes during a read gets a read that begins afterwards', async () => {
  let value = 'old';
  const answers: PromiseWithResolvers<string>[] = [];
  const begun = Promise.withResolvers<void>();
  const read = createSharedRead(() => {
    // The answer of a database.
    const seen = value;
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    begun.resolve();
    return answer.promise.then(() => seen);
  });
  const before = read();
  await begun.promise;
  value = 'new';
  const after = read();
  answers[0]?.resolve('');
  expect(await before).toBe('old');
  while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
  answers[1]?.resolve('');
  expect(await after).toBe('new');
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
