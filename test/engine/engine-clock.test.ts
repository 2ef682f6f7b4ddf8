import { expect, onTestFinished } from 'vitest';
import { hour, minute } from '../../src/core/text/words.ts';
import { startTestBot, test } from '../support/bot/test-bot.ts';
import { asked, moveRow } from './asked.ts';

// The wall clock is set back while the bot runs, which must not prolong any wait.

test('a request at work stays claimed when the clock is set back', async ({ bot }) => {
  const { inbox, audit } = bot.store;
  const { append } = audit;
  // The request hangs at its first audit entry.
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  onTestFinished(() => released.resolve());
  audit.append = async (entry) => {
    reached.resolve();
    await released.promise;
    return append(entry);
  };
  const said = bot.say('operator', 'restart web-1');
  await reached.promise;
  bot.skip(-2 * hour);
  for (let round = 0; round < 3; round += 1) {
    await bot.replicas[0]?.sweep();
    bot.skip(4_000);
    expect(await inbox.unfinished(1)).toEqual([]);
  }
  released.resolve();
  await said;
});

test('after the clock was set back, lists are read again, and the limit per minute ends', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 3 } });
  const lists = () => bot.sim.requests().filter(({ route }) => route === 'GET /orders/').length;
  await bot.say('reader', 'list');
  bot.skip(-2 * hour);
  await bot.say('reader', 'list');
  bot.skip(minute + 1);
  const before = lists();
  for (const line of ['list', 'balance', 'list']) await bot.say('reader', line);
  expect(lists()).toBeGreaterThan(before);
  expect(bot.story()).not.toContain('more than 3 requests');
});

test('after the clock was set back, an absence is noticed, and a decided request waits', async () => {
  const { bot, id } = await asked();
  await bot.replicas[0]?.sweep();
  await moveRow(bot, id, 'approved');
  bot.skip(-5 * hour);
  await bot.store.presence.absentMs();
  await bot.pass(3 * hour);
  await bot.until(() => bot.story().includes('The bot was offline for 3 h.'), 'the card to say so');
  expect(bot.writes()).toEqual([]);
});
