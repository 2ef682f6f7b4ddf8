import { expect, test } from 'vitest';
import { startTestBot } from '../../support/test-bot.ts';

test('the card of alerts names what is open and on, and hooks only for admins; rules are a table of one line each', async () => {
  const bot = await startTestBot({ replicas: 1, config: { publicUrl: 'https://bot.example.com' } });
  await bot.say('operator', 'alerts on power');
  await bot.settle();
  await bot.press('operator', 'Confirm', { first: true });
  await bot.settle();
  await bot.say('admin', 'alerts hook add alertmanager prometheus');
  await bot.settle();
  await bot.press('admin', 'Confirm', { first: true });
  await bot.settle();
  const answer = async (who: string, line: string) => {
    const before = bot.story().length;
    await bot.say(who, line);
    return bot.story().slice(before);
  };
  const own = await answer('operator', 'alerts');
  expect(own).toContain('1 alert is on.');
  expect(own).toContain('no quiet hours');
  expect(own).not.toContain('prometheus');
  expect(await answer('admin', 'alerts')).toContain('hooks: prometheus');
  const rules = (await answer('operator', 'alerts rules')).split('\n').filter((line) => line.includes(' │ '));
  expect(rules[0]).toContain('Rule │ Alert │ Fires when');
  expect(rules.filter((line) => line.includes('power │ '))).toHaveLength(1);
});
