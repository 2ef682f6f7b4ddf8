import { expect, test } from 'vitest';
import { startTestBot } from '../support/test-bot.ts';

test('a change by hand some seconds after the subscription is noticed', async () => {
  const bot = await startTestBot();
  await bot.replicas[0]?.sweepAlerts();
  await bot.say('operator', 'alerts on zone');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.until(async () => (await bot.store.values.find('looked', ['zone'])).size > 0, 'the first reading');
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '192.0.2.66' }] });
  bot.skip(6 * 60_000);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.transcript()).toContain('example.org was changed by hand');
});
