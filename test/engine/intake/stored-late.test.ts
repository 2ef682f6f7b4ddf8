import { expect } from 'vitest';
import { StoreUnavailable, storedLate } from '../../../src/core/view/errors.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';

// A broken connection loses the answer of the database: the bot learns the result a moment later.

const cut = () => Promise.reject(new StoreUnavailable('the connection was cut'));
/** Asks while the database does not answer; the request is stored, or not. */
async function askCut(bot: TestBot, isStored: boolean): Promise<void> {
  const { inbox } = bot.store;
  const { receive } = inbox;
  inbox.receive = async (delivery) => {
    if (isStored) await receive(delivery);
    return cut();
  };
  await expect(bot.say('operator', 'restart web-1')).rejects.toThrow('the connection was cut');
  inbox.receive = receive;
  expect(await openOperations(bot.store)).toEqual([]);
}
const sweep = async (bot: TestBot) => bot.replicas[0]?.sweep();

test('a request that was stored without an answer runs once with the next sweep, with a message', async ({ bot }) => {
  await askCut(bot, true);
  await sweep(bot);
  await bot.until(async () => (await openOperations(bot.store)).length === 1, 'the card');
  await sweep(bot);
  await bot.settle();
  expect(bot.transcript().split(storedLate)).toHaveLength(2);
  expect(await openOperations(bot.store)).toHaveLength(1);
  expect(await bot.store.inbox.unfinished(10, 3_600_000)).toEqual([]);
});

test('a request that was not stored does not run later', async ({ bot }) => {
  await askCut(bot, false);
  await sweep(bot);
  await bot.settle();
  expect(bot.transcript()).not.toContain(storedLate);
  expect(await openOperations(bot.store)).toEqual([]);
});

test('a request whose end could not be stored gets it stored later, and does not begin again', async ({ bot }) => {
  const { inbox } = bot.store;
  const { finish } = inbox;
  inbox.finish = cut;
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.hasButton('Confirm'), 'the card');
  await bot.settle();
  expect(await inbox.unfinished(10, 3_600_000)).toHaveLength(1);
  inbox.finish = finish;
  await sweep(bot);
  expect(await inbox.unfinished(10, 3_600_000)).toEqual([]);
});
