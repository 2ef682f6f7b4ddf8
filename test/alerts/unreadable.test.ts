import { expect, test } from 'vitest';
import { answerTo, pressAndSettle } from '../engine/told.ts';
import { minute, openWatch } from './support.ts';

/** An unreadable item hides only itself and is named. */

test('an order that cannot be read is named in the list and in an alert, only commands on it are refused, and all others work', async () => {
  const bot = await openWatch({ unreadable: {}, 'order-status': {} });
  bot.sim.order({ order: '34-12346', status: 'blocked' });
  await bot.sweep();
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual(['🔴 db-1 is blocked']);
  for (const match of ['GET /orders/', 'GET /orders/vps/'])
    bot.sim.fault({ kind: 'item', match, item: '34-12346', set: { name: ['odd'], cost_month: {} } });
  await bot.later(16 * minute);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual([
    // The end of this alert cannot be read, so the alert stays open.
    '🔴 db-1 is blocked',
    '🟡 The order 34-12346 cannot be read',
  ]);
  await bot.say('reader', 'list');
  expect(bot.transcript()).toMatch(/1 order cannot be read and is left out: 34-12346 \(name: .*cost_month: .*\)/);
  expect(bot.transcript()).toContain('web-1');
  await bot.say('reader', 'orders');
  await bot.say('operator', 'restart 34-12346');
  expect(bot.transcript()).toContain("The provider's response about 34-12346 cannot be read: name: ");
  expect(await answerTo(bot, 'operator', 'restart web-1')).toContain('## ⏳ Restart web-1');
  // The bot checks the request again before the write, with the odd item in the list.
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.transcript()).toContain('web-1 restarted');
  bot.sim.clearFaults();
  await bot.later(16 * minute);
  expect(bot.alerts()[1]?.view.summary).toMatch(/^✅ The order 34-12346 can be read again/);
  expect(bot.alerts()[0]?.view.summary).toBe('🔴 db-1 is blocked');
});

test('a record that cannot be read makes its own domain unreadable, and no other', async () => {
  const bot = await openWatch({});
  bot.sim.fault({ kind: 'item', match: 'GET /dns/domain/', item: 'example.org', set: { entry_set: [{ id: 'x' }] } });
  await bot.say('reader', 'dns list example.com');
  await bot.say('reader', 'dns domains');
  await bot.say('reader', 'dns list example.org');
  expect(bot.transcript()).toContain('1 domain cannot be read and is left out: example.org (entry_set.0.');
  expect(bot.transcript()).toContain("The provider's response about example.org cannot be read: entry_set.0.");
  expect(bot.transcript()).toMatch(/example\.com: \d+ records|\d+ records/);
});
