import { expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/core/text/words.ts';
import { confirmed, makeHookAlone, openHooks, openWatch, pressAndDeliver, type Watch } from '../../alerts/support.ts';
import { answerTo, setChannel } from '../told.ts';

/** The life of an alert: a person on it, snoozed, reminded, flapping, quiet, several at once; and the cost of a sweep. */

const blocked = (bot: Watch, ids: readonly string[], status: 'blocked' | 'active' = 'blocked') => {
  for (const order of ids) bot.sim.order({ order, status });
};

test('a snoozed alert is silent until its time ends, unless it becomes critical', async () => {
  const bot = await openWatch({ balance: { at: [14, 7, 3] } });
  bot.sim.balance({ balance: 40 });
  await bot.sweep();
  await pressAndDeliver(bot, 'operator', 'Snooze for 7 days');
  expect(bot.story()).toContain('snoozed by @operator until ‹date›');
  bot.sim.balance({ balance: 6 });
  await bot.later(16 * minute);
  expect(bot.story()).toContain('[snoozed]');
  expect(bot.alerts()).toHaveLength(1);
  bot.sim.balance({ balance: 1 });
  await bot.later(16 * minute);
  expect(bot.story()).toContain('## 🔴 Balance covers 2 days\n');
  expect(bot.alerts()).toHaveLength(2);
});

test('reminders are posted only as often as the channel configured', async () => {
  const bot = await openWatch({ invoices: {} }, { settings: { remindMs: 4 * hour } });
  await bot.sweep();
  await bot.later(3 * hour);
  expect(bot.alerts()).toHaveLength(1);
  await bot.later(hour + minute);
  expect(bot.story()).toContain('    Still open after 4 h 1 min: 1 invoice is unpaid');
  await bot.later(hour);
  expect(bot.alerts()).toHaveLength(2);
  await bot.press('operator', "I'm on it");
  await bot.later(8 * hour);
  expect(bot.alerts()).toHaveLength(2);
});

test('several alerts of one rule in one sweep are one message, which is resolved as one', async () => {
  const bot = await openWatch({ 'order-status': { on: ['tag:web'] } });
  await bot.sweep();
  blocked(bot, ['34-12345', '34-12399', '34-12407']);
  await bot.later(6 * minute);
  expect(bot.story()).toMatchInlineSnapshot(`
    "## 🔴 3 orders are blocked, disabled or expired
    🔴 web-1 is blocked · since ‹date›
    🔴 web-2 is blocked · since ‹date›
    🔴 web-3 is blocked · since ‹date›
    [Order web-1] [Order web-2] [Order web-3] [List] [I'm on it]
    [More ▾ [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
  `);
  blocked(bot, ['34-12399'], 'active');
  await bot.later(6 * minute);
  expect(bot.story()).toContain('✅ web-2 is active · after 6 min');
  await pressAndDeliver(bot, 'operator', "I'm on it");
  expect(bot.story().match(/@operator is on it/g)).toHaveLength(2);
  blocked(bot, ['34-12345', '34-12407'], 'active');
  await bot.later(6 * minute);
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.story()).toMatch(/^✅ Resolved: 3 orders are blocked, disabled or expired, after 12 min\n/);
  expect(bot.story()).toContain('✅ web-2 is active · after 6 min\n✅ web-3 is active · after 12 min');
});

test('several alerts that get worse in one sweep are one reply in the thread of their message', async () => {
  const bot = await openWatch({ expiring: { on: ['tag:web'], at: [14, 7] } });
  for (const order of ['34-12345', '34-12399', '34-12407'])
    bot.sim.order({ order, status: 'noprolong', expiration_date: new Date(bot.now() + 13.5 * day).toISOString() });
  await bot.sweep();
  await bot.press('operator', "I'm on it");
  await bot.later(7 * day);
  expect(bot.alerts()).toHaveLength(2);
  // Alerts that opened in the same millisecond have no order.
  const [, worse = ''] = /^ {4}🔴 3 alerts got worse: (.*)$/m.exec(bot.story()) ?? [];
  expect(worse.split('; ').sort()).toEqual(['web-1', 'web-2', 'web-3'].map((name) => `${name} expires in 6 days`));
});

test('an alert that flaps is one message, and is resolved only when it stays off', async () => {
  const bot = await openWatch({ 'order-status': { on: ['order:34-12399'] } });
  for (let n = 0; n < 4; n++) {
    blocked(bot, ['34-12399']);
    await bot.later(6 * minute);
    blocked(bot, ['34-12399'], 'active');
    await bot.later(6 * minute);
  }
  expect(bot.story()).toContain('🔴 web-2 is blocked');
  expect(bot.story()).toContain('on and off, 4 times');
  // The alert was reported as resolved once, so it is reported as open again once.
  const words = bot.alerts().map((message) => message.view.summary);
  expect(words).toEqual(['🔴 web-2 is blocked', '🔴 web-2 is blocked · on and off, 2 times']);
  for (let n = 0; n < 3; n++) await bot.later(6 * minute);
  expect(bot.story()).toContain('🔴 web-2 is blocked');
  await bot.later(6 * minute);
  expect(bot.story()).toMatch(/^✅ web-2 is active/);
  expect(bot.alerts()).toHaveLength(2);
});

test('a snoozed alert that flaps is silent until its time ends', async () => {
  const bot = await openWatch({ 'order-status': { on: ['order:34-12399'] } });
  blocked(bot, ['34-12399']);
  await bot.sweep();
  await bot.press('operator', 'Snooze for 4 hours');
  for (let n = 0; n < 3; n++) {
    blocked(bot, ['34-12399'], 'active');
    await bot.later(40 * minute);
    expect(bot.alerts()).toHaveLength(1);
    blocked(bot, ['34-12399']);
    await bot.later(30 * minute);
    expect(bot.story()).toContain('[snoozed]');
  }
  expect(bot.alerts()).toHaveLength(1);
  await bot.later(hour);
  expect(bot.story()).toContain('    Still open: web-2 is blocked · snoozed by @operator until now');
});

test('quiet hours hold back all alerts but critical ones, and the others are posted when quiet hours end', async () => {
  const now = new Date();
  const clock = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(11, 16);
  const quiet = { from: clock(-hour), to: clock(2 * hour) };
  const rules = { invoices: {}, 'order-status': { on: ['order:34-12399'] } };
  const bot = await openWatch(rules, { settings: { quiet, timeZone: 'UTC' } });
  blocked(bot, ['34-12399']);
  await bot.sweep();
  expect(bot.alerts().map((message) => message.view.summary)).toEqual(['🔴 web-2 is blocked']);
  expect(await answerTo(bot, 'operator', 'alerts list')).toContain('🟡 1 invoice is unpaid │');
  await bot.later(2 * hour + minute);
  const summaries = bot.alerts().map((message) => message.view.summary);
  expect(summaries).toEqual(['🔴 web-2 is blocked', '🟡 1 invoice is unpaid']);
});

test('when a channel turns an alert off, the message of the alert says so, once', async () => {
  const bot = await openWatch({ invoices: {} });
  await bot.sweep();
  await confirmed(bot, 'alerts off invoices');
  await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^⚪ No longer watched here/);
  await bot.later(hour);
  expect(bot.alerts()).toHaveLength(1);
});

test.each([
  ['shared', { isShared: true }],
  ['archived', { isArchived: true }],
  ['without the bot', { hasBot: false }],
])('a channel that is %s gets no alerts, and new alerts are posted when it gets messages again', async (_, change) => {
  const bot = await openWatch({ invoices: {}, 'order-status': { on: ['order:34-12399'] } });
  blocked(bot, ['34-12399']);
  await bot.sweep();
  const channel = { ...bot.channels.get('C0OPS') };
  expect(bot.alerts()).toHaveLength(2);
  setChannel(bot, change);
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  expect((await post(url, '{"id": "disk", "title": "Disk of db-1 is full"}')).status).toBe(200);
  blocked(bot, ['34-12399'], 'active');
  await bot.later(6 * minute);
  expect(bot.story()).not.toContain('✓');
  expect(bot.alerts()).toHaveLength(2);
  setChannel(bot, channel);
  await bot.later(minute);
  const words = bot.alerts().map((message) => message.view.summary);
  const active = expect.stringContaining('✅ web-2 is active');
  expect(words).toHaveLength(3);
  expect(words).toEqual(expect.arrayContaining(['🟡 1 invoice is unpaid', active, '🟡 Disk of db-1 is full']));
});
