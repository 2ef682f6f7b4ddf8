import { expect, test } from 'vitest';
import { hour, openWatch } from './support.ts';

test('the title of "alerts on all" counts the alerts, and the title for a few new ones names them', async () => {
  const bot = await openWatch({ balance: {} }, { replicas: 1 });
  await bot.say('operator', 'alerts on all');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on \d\d alerts {2}\[/m);
  await bot.say('operator', 'alerts on balance expiring power');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on alerts: expiring and power {2}\[/m);
});

test('expiring orders are listed by the days that are left', async () => {
  const bot = await openWatch({ expiring: { at: [14] } }, { replicas: 1 });
  await bot.later(hour);
  const days = [...bot.story().matchAll(/expires in (\d+) days?/g)].map(([, number]) => Number(number));
  expect(days.length).toBeGreaterThan(3);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
  expect(new Set(days).size).toBeGreaterThan(3);
});
