import { expect, test } from 'vitest';
import { confirmed, minute, minutes, openWatch } from './support.ts';

test('a hand-made change beside a change by the bot raises an alert: records, power and the mark of an order', async () => {
  const bot = await openWatch({ zone: { on: ['domain:example.com'] }, power: { on: ['tag:web'] }, 'cancel-mark': {} });
  await bot.sweep();
  await minutes(bot, 3);
  for (const line of ['dns set example.com www A 192.0.2.99', 'restart web-1', 'restart web-2'])
    await confirmed(bot, line);
  // All of this happens before the next sweep.
  bot.sim.records({ domain: 'example.com', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  bot.sim.power({ order: '34-12399', state: 'off' });
  bot.sim.order({ order: '34-12345', cancel_mark: true });
  await minutes(bot, 10);
  const said = () => bot.alerts().map(({ view }) => view.summary);
  const byHand = '🟡 example.com was changed by hand';
  expect(said().sort()).toEqual(['🔴 web-1 is marked for cancellation', '🔴 web-2 is off', byHand]);
  await bot.press('reader', 'Show zone diff');
  expect(bot.transcript()).toMatch(/\+ evil A 203\.0\.113\.66$/m);
  expect(bot.transcript()).not.toContain('+ www A 192.0.2.99');

  // A request of the bot explains only the records that it writes.
  await confirmed(bot, 'dns add example.com more A 192.0.2.98');
  await minutes(bot, 10);
  expect(said()).toContain(byHand);
});

test('an order whose status is not known stays in its alert', async () => {
  const bot = await openWatch({ 'order-status': {} });
  await bot.sweep();
  bot.sim.order({ order: '34-12346', status: 'blocked' });
  await bot.later(6 * minute);
  expect(bot.alerts()[0]?.view.summary).toBe('🔴 db-1 is blocked');
  for (const match of ['GET /orders/', 'GET /orders/vps/'])
    bot.sim.fault({ kind: 'item', match, item: '34-12346', set: { status: 'under-review' } });
  await bot.later(16 * minute);
  expect(bot.alerts()[0]?.view.summary).toBe('🔴 db-1 is blocked');
  bot.sim.clearFaults();
  bot.sim.order({ order: '34-12346', status: 'active' });
  await bot.later(6 * minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅ db-1 is active/);
});

test('the addresses of one mail server have one button, and a card says in what time a rule notices a change', async () => {
  const bot = await openWatch({ 'reverse-dns': {} });
  bot.sim.order({ order: '34-12360', reverse_dns: { '203.0.113.25': '', '2001:db8:25::25': '' } });
  await bot.sweep();
  expect(bot.story().match(/\[Addresses mail-1\]/g)).toHaveLength(1);
  for (const line of ['alerts on power', 'alerts on balance traffic', 'alerts quiet 22:00-07:00'])
    await bot.say('operator', line);
  expect(bot.transcript()).toContain('A change is noticed after at most 6 min.');
  expect(bot.transcript()).toContain('A change is noticed after at most 16 min (balance) to 31 min (traffic).');
  expect(bot.transcript()).toContain('Alerts that are not critical are posted when these hours end.');
});
