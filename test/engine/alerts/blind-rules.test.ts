import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { day, hour, minute, openWatch, type Watch } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { sayAndPress } from '../told.ts';

/** A rule that could not read can read again, and an event delays the end of its alert. */

const between: readonly [string, (bot: Watch, end: () => Promise<boolean>) => Promise<boolean>][] = [
  [
    'somebody clicks at the same moment',
    async (bot, end) => {
      const [row] = await bot.store.alerts.active(ops, 'blind');
      if (row === undefined) throw new Error('no alert is open');
      // "I'm on it", as acknowledge.ts writes it.
      const now = { state: 'acknowledged', byUser: 'U1', until: bot.now() + hour, sinceAt: bot.now() } as const;
      await bot.store.alerts.change(row.id, row.version, now);
      return end();
    },
  ],
  ['the database does not answer', () => Promise.reject(new StoreUnavailable('no answer'))],
];

test.each(between)('the alert of a rule that can read again ends, also when %s', async (_, happens) => {
  const bot = await openWatch({ 'order-status': {} });
  await bot.sweep();
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  for (let n = 0; n < 6; n++) await bot.later(5 * minute);
  expect(await bot.store.alerts.active(ops, 'blind')).toHaveLength(1);
  bot.sim.clearFaults();
  const { alerts } = bot.store;
  const { change } = alerts;
  let happened = 0;
  alerts.change = async (...given) => {
    const end = () => change(...given);
    return given[2].state === 'resolved' && happened++ === 0 ? happens(bot, end) : end();
  };
  await bot.later(5 * minute);
  await bot.later(5 * minute);
  expect(happened).toBe(2);
  expect(await bot.store.alerts.active(ops, 'blind')).toEqual([]);
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
  await sayAndPress(bot, 'operator', 'alerts off order-status', 'Confirm').catch(() => undefined);
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

test('after the clock was set back by three hours people hear soon that a rule cannot read', async () => {
  const bot = await openWatch({ 'order-status': {} });
  await bot.later(minute);
  bot.skip(-3 * hour);
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  for (let n = 0; n < 6; n++) await bot.later(5 * minute);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual([
    expect.stringContaining('The alert rule order-status has not been able to read'),
  ]);
});
