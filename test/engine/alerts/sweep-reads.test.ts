import { expect, test } from 'vitest';
import { hour, minute, openWatch } from '../../alerts/support.ts';

// A wall clock ran ahead and is set back: earlier notes lie in the future.

test.each([
  ['at the next sweep', 'power'],
  ['at the next sweep by a rule that spreads its reads', 'zone'],
])('after the clock was set back by three hours a change is noticed %s', async (_, rule) => {
  const bot = await openWatch({ [rule]: { on: ['all'] } }, { replicas: 1, engine: 'sqlite' });
  await bot.later(minute);
  await bot.later(5 * minute);
  bot.skip(-3 * hour);
  bot.sim.power({ order: '34-12345', state: 'off' });
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  for (let n = 0; n < 20 && bot.alerts().length === 0; n++) await bot.later(minute);
  expect(bot.alerts()).toHaveLength(1);
});

test('after the clock was set back by three hours people hear soon that a rule cannot read', async () => {
  const bot = await openWatch({ 'order-status': {} }, { replicas: 1, engine: 'sqlite' });
  await bot.later(minute);
  bot.skip(-3 * hour);
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  for (let n = 0; n < 6; n++) await bot.later(5 * minute);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual([
    expect.stringContaining('The alert rule order-status has not been able to read'),
  ]);
});
