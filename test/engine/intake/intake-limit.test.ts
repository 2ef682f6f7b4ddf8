import { expect, test } from 'vitest';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { messagesOf } from '../told.ts';

test('a person who sends too many requests gets one message about it', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 3 } });
  for (let n = 0; n < 6; n++) await bot.say('reader', 'version', { replica: 0 });
  expect(bot.transcript().match(/Hostler 0/g)).toHaveLength(3);
  expect(bot.transcript().match(/more than 3 requests in a minute/g)).toHaveLength(1);
});

test('a line that Slack delivers twice counts once', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 2 } });
  for (let n = 0; n < 4; n++) await bot.say('reader', 'version', { id: 'delivered-again' });
  await bot.say('reader', 'version');
  expect(bot.transcript().match(/Hostler 0/g)).toHaveLength(2);
  expect(bot.transcript()).not.toContain('requests in a minute');
});

test('a payload that is delivered several times, to any replica, counts once', async () => {
  const bot = await startTestBot({ replicas: 3 });
  await Promise.all([0, 1, 2].map((replica) => bot.say('operator', 'restart web-1', { id: 'env-1', replica })));
  await bot.settle();
  expect(messagesOf(bot, 'card')).toHaveLength(1);
  await Promise.all([0, 1, 2].map((replica) => bot.press('operator', 'Confirm', { id: 'env-2', replica })));
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
  expect(bot.transcript()).not.toContain('(only');
});
