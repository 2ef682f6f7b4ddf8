import { expect, onTestFinished, test, vi } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import { ProviderError } from '../../../src/core/view/errors.ts';
import { createKnownCurrency } from '../../../src/engine/home/home-reads.ts';
import type { Reader } from '../../../src/provider/client.ts';

type Answer = () => Promise<string>;

const silent = () => {};

const answers = (currency: string) => async () => currency;
const refuses: Answer = async () => {
  throw new ProviderError('forbidden', 'GET /account/balance', { status: 403, words: 'No.' });
};
const never: Answer = () => new Promise(() => {});

/** A currency that is read from the present `answer`. */
function open(first: Answer) {
  const world = { answer: first, at: 0, reads: 0 };
  const balance = async () => {
    world.reads += 1;
    return { balance: 1, currency: await world.answer() };
  };
  const currency = createKnownCurrency({
    // Nothing else of the reader is used.
    reader: { account: { balance } } as unknown as Reader,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    elapsed: () => world.at,
  });
  return { world, currency };
}

test('the currency is read once an hour for all callers, and then again without a wait', async () => {
  const { world, currency } = open(answers('RUB'));
  expect(await Promise.all([currency(), currency()])).toEqual(['RUB', 'RUB']);
  world.at += hour - 1;
  expect(await currency()).toBe('RUB');
  expect(world.reads).toBe(1);
  world.at += 1;
  world.answer = answers('EUR');
  expect(await currency()).toBe('RUB');
  await expect.poll(currency).toBe('EUR');
  expect(world.reads).toBe(2);
  // The bot keeps the currency while it cannot read the balance.
  world.answer = refuses;
  for (const _ of [1, 2]) {
    world.at += hour;
    expect(await currency()).toBe('EUR');
  }
  expect(world.reads).toBe(4);
});

test('an unknown currency is requested at most once a minute', async () => {
  const { world, currency } = open(refuses);
  expect([await currency(), await currency()]).toEqual([undefined, undefined]);
  expect(world.reads).toBe(1);
  world.at += minute;
  world.answer = answers('RUB');
  expect(await currency()).toBe('RUB');
});

test('a balance that the provider does not answer delays an answer by two seconds at most', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { currency } = open(never);
  const answer = currency();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await answer).toBeUndefined();
});
