import { expect, test } from 'vitest';
import { day, hour, minute, openWatch } from './support.ts';

/** An unreadable item hides only itself and is named, and a rule that cannot read at all says so. */

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
  await bot.say('operator', 'restart web-1');
  expect(bot.transcript()).toContain('## ⏳ Restart web-1');
  // The bot checks the request again before the write, with the odd item in the list.
  await bot.press('operator', 'Confirm');
  await bot.settle();
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

test('an alert says once in each subscribed channel that a rule cannot read, and is resolved when the rule can read again', async () => {
  const bot = await openWatch({ 'order-status': {}, power: { on: ['tag:web'] }, job: {} });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  const log = () => bot.log.splice(0).filter((line) => line.includes('alert rule'));
  await bot.later(6 * minute);
  expect(log()).toEqual(Array(3).fill(expect.stringContaining('an alert rule cannot read')));
  expect(bot.alerts()).toEqual([]);
  for (let n = 0; n < 3; n++) await bot.later(5 * minute);
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.story()).toContain('## 🟡 3 alerts · alert rules that cannot read');
  expect(bot.story()).toContain('The alert rule order-status has not been able to read for 15 min');
  expect(bot.story()).toContain('The alert rule power has not been able to read for 10 min');
  expect(log()).toEqual([]);
  const looks = await bot.replicas[0]?.lastLooks();
  expect(bot.now() - (looks?.power ?? 0)).toBeGreaterThan(20 * minute);
  expect(bot.now() - (looks?.job ?? 0)).toBeGreaterThan(15 * minute);
  expect(Object.keys(looks ?? {}).sort()).toEqual(['job', 'order-status', 'power']);

  await bot.later(hour);
  expect(bot.alerts()).toHaveLength(1);
  bot.sim.clearFaults();
  await bot.later(minute);
  await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toContain('✅ Resolved: 3 alerts');
  expect(log()).toEqual(Array(3).fill(expect.stringContaining('can read again')));
});

test('the alert about a rule that cannot read is resolved when the last channel unsubscribes from the rule', async () => {
  const bot = await openWatch({ 'order-status': {} });
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  await bot.sweep();
  await bot.later(20 * minute);
  expect(bot.alerts()).toHaveLength(1);
  await bot.say('operator', 'alerts off order-status');
  await bot.press('operator', 'Confirm').catch(() => undefined);
  await bot.settle();
  await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^⚪ No longer watched here/);
});

test('an error in one channel stops neither the other channels nor the rest of the sweep', async () => {
  const bot = await openWatch({ invoices: {} });
  const { alerts } = bot.store;
  const { busyChannels } = alerts;
  alerts.busyChannels = async (at) => ['C0BROKEN01', ...(await busyChannels(at))];
  const { withoutMessage } = alerts;
  alerts.withoutMessage = (channel, limit) =>
    channel === 'C0BROKEN01' ? Promise.reject(new Error('a bug')) : withoutMessage(channel, limit);
  await bot.sweep();
  expect(bot.alerts()).toHaveLength(1);
  await bot.later(day);
  expect(bot.alerts()).toHaveLength(1);
});
