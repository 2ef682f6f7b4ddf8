import { expect, it } from 'vitest';
import { startTestBot } from '../support/test-bot.ts';

it('a request that waits already is offered instead of a second one, which is made only by a click', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'restart web-1');
  await bot.say('operator', 'restart web-2');
  await bot.until(() => cards() === 2, 'two cards');
  await bot.say('lead', 'restart web-1 because slow');
  await bot.until(() => bot.transcript().includes('This is waiting already: Restart web-1'), 'the offer');
  expect(bot.transcript()).toContain('[Open it] [Ask anyway]');
  expect(cards()).toBe(2);
  await bot.press('lead', 'Ask anyway');
  await bot.until(() => cards() === 3, 'the third card');
  expect(bot.transcript()).toContain('Reason: slow');
});

it('the same command about something else, or one that has ended, is not offered', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'dns add example.com beta A 192.0.2.10');
  await bot.say('operator', 'dns add example.com beta A 192.0.2.11');
  await bot.until(() => cards() === 2, 'two cards');
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Withdraw');
  await bot.settle();
  await bot.say('operator', 'restart web-1');
  await bot.until(() => cards() === 4, 'the fourth card');
});
