import { expect, test } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import { day, hour, minute, minutes, openWatch } from '../../alerts/support.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';

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

const everyRule = Object.fromEntries(alertRules.map(({ name }) => [name, {}]));

test('a sweep reads a few lists and its share of the servers', async () => {
  const names = ['balance', 'invoices', 'expiring', 'order-status', 'cancel-mark', 'power', 'job', 'zone'];
  const bot = await openWatch(Object.fromEntries([...names, 'api-key', 'api-unreachable'].map((name) => [name, {}])));
  await minutes(bot, 6);
  bot.sim.clearRequests();
  await bot.later(minute);
  const routes = bot.sim.requests().map((request) => request.route);
  const powers = routes.filter((route) => route === 'GET /vps/{order_id}/status/');
  expect(powers.length).toBeLessThanOrEqual(3);
  expect(routes.length - powers.length).toBeLessThanOrEqual(10);
  bot.sim.clearRequests();
  await minutes(bot, 5);
  const five = bot.sim.requests().filter((request) => request.route === 'GET /vps/{order_id}/status/');
  expect(new Set(five.map((request) => request.path)).size).toBe(five.length);
});

test('with thousands of servers, a sweep reads the power of a hundred, and the lists are read every five minutes', async () => {
  const bot = await openWatch(everyRule, { provider: { seed: { orders: 1_500 } } });
  const sent = async () => {
    bot.sim.clearRequests();
    await bot.later(minute);
    const all = bot.sim.requests();
    const power = all.filter((request) => request.route === 'GET /vps/{order_id}/status/').map(({ path }) => path);
    return { power, others: all.length - power.length };
  };
  await bot.sweep();
  const sweeps = [];
  for (let n = 0; n < 5; n++) sweeps.push(await sent());
  expect(Math.max(...sweeps.map(({ power }) => power.length))).toBe(100);
  // No server is read again before all have been read.
  const asked = sweeps.flatMap(({ power }) => power);
  expect(new Set(asked).size).toBe(asked.length);
  // Orders and servers come in pages of a hundred, fifteen each: once in five minutes, and the balance in all.
  const others = sweeps.map((sweep) => sweep.others).toSorted((a, b) => a - b);
  expect(others.slice(0, 4)).toEqual([1, 1, 1, 1]);
  expect(others.at(-1)).toBeLessThan(50);
});

test('when no channel subscribed, nothing is read from the provider', async () => {
  const bot = await startTestBot();
  bot.sim.clearRequests();
  await bot.pass(day);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.sim.requests()).toEqual([]);
});
