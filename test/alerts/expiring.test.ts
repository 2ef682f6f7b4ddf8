import { expect, test } from 'vitest';
import { day, hour, minute, openWatch, type Watch } from './support.ts';

const first = (bot: Watch) => bot.alerts()[0]?.view.summary;
const vpn = { on: ['order:34-12380'] };
const inDays = (bot: Watch, days: number) => new Date(bot.now() + days * day).toISOString();

test('an order that expires has one alert from fourteen days to one day, with a reply only when it is critical', async () => {
  const bot = await openWatch({ expiring: vpn });
  bot.sim.order({ order: '34-12380', status: 'noprolong', expiration_date: inDays(bot, 15.5) });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  await bot.later(day + 12 * hour);
  expect(first(bot)).toBe('🟡 vpn-1 expires in 14 days');
  for (const days of [7, 4, 2]) await bot.later(days * day);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual(Array(2).fill('🔴 vpn-1 expires in 1 day'));
});

test('an order that expires stays in its alert when it was not paid, and no amount is in it', async () => {
  const bot = await openWatch({ expiring: vpn });
  bot.sim.order({ order: '34-12380', status: 'noprolong', expiration_date: inDays(bot, 1.5) });
  await bot.sweep();
  expect(first(bot)).toBe('🔴 vpn-1 expires in 1 day');
  await bot.later(2 * day);
  expect(first(bot)).toBe('🔴 vpn-1 is expired');
  expect(bot.story()).not.toContain('€');
  bot.sim.renew({ order: '34-12380' });
  await bot.later(hour + minute);
  expect(first(bot)).toMatch(/^✅ vpn-1 is paid for \d+ days/);
});

test('an order that the balance pays raises no alert, one that it does not pay says so, and an expired one has one row', async () => {
  const bot = await openWatch({ expiring: vpn, 'order-status': vpn });
  bot.sim.order({ order: '34-12380', autorenew: false, expiration_date: inDays(bot, 1.5) });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  bot.sim.balance({ balance: 0 });
  await bot.later(hour);
  expect(bot.story()).toMatch(/^## 🔴 vpn-1 is paid until tomorrow\n.* · whether it renews is not known\n/);
  await bot.later(2 * day);
  await bot.later(hour);
  const open = await bot.store.alerts.listOpen({ limit: 9 });
  expect(open.map(({ rule, severity }) => [rule, severity])).toEqual([['order-status', 'critical']]);
  expect(first(bot)).toMatch(/^⚪ vpn-1 is expired · after/);
});
