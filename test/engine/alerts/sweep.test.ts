import { expect, onTestFinished, vi } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import { confirmed, day, hour, minute, minutes, openWatch, subscribe } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';

// A wall clock ran ahead and is set back: earlier notes lie in the future.

test.each([
  ['at the next sweep', 'power'],
  ['at the next sweep by a rule that spreads its reads', 'zone'],
])('after the clock was set back by three hours a change is noticed %s', async (_, rule) => {
  const bot = await openWatch({ [rule]: { on: ['all'] } });
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

test('when no channel subscribed, nothing is read from the provider', async ({ bot }) => {
  bot.sim.clearRequests();
  await bot.pass(day);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.sim.requests()).toEqual([]);
});

test.each(engines)('two replicas on %s do one sweep per interval and post one message', async (engine) => {
  const bot = await openWatch({ invoices: {}, 'order-status': { on: ['tag:web'] } }, { engine, replicas: 2 });
  for (const order of ['34-12345', '34-12399']) bot.sim.order({ order, status: 'blocked' });
  const reads = () => bot.sim.requests().filter((request) => request.route === 'GET /account/invoices').length;
  await Promise.all(bot.replicas.map((replica) => replica.sweepAlerts()));
  await bot.delivered();
  expect(reads()).toBe(1);
  expect(bot.alerts()).toHaveLength(2);
  await bot.pass(16 * minute);
  await Promise.all(bot.replicas.map((replica) => replica.sweepAlerts()));
  await bot.delivered();
  expect(reads()).toBe(2);
  expect(bot.alerts()).toHaveLength(2);
  // Both click at once.
  await Promise.all([
    bot.press('operator', "I'm on it", { replica: 0 }),
    bot.press('lead', "I'm on it", { replica: 1 }),
  ]);
  await bot.delivered();
  const acknowledged = (await bot.store.audit.list({ kind: 'alert', limit: 10 })).length;
  expect(acknowledged).toBeGreaterThan(0);
  expect(bot.log).toEqual([]);
});

test('after a restart no alert is posted twice, and one sweep catches up the missed hours', async () => {
  const bot = await openWatch({ invoices: {}, zone: {}, 'order-status': { on: ['order:34-12399'] } });
  await bot.sweep();
  await bot.pass(5 * hour);
  // The process and its memory are gone; the next one starts from the rows.
  await bot.replicas.shift()?.stop();
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  bot.sim.clearRequests();
  const replica = await bot.openReplica();
  await replica.sweepAlerts();
  await bot.until(() => bot.alerts().length === 3);
  // The findings of one sweep are posted in the order in which the reads came back.
  const said = bot.alerts().map(({ view }) => view.summary);
  const seen = said.toSorted();
  expect(seen).toEqual(['🔴 web-2 is blocked', '🟡 1 invoice is unpaid', '🟡 example.org was changed by hand']);
  expect(bot.sim.requests().filter((request) => request.route === 'GET /account/invoices')).toHaveLength(1);
});

test('the leases of a sweep and of a publication are renewed while they last', async () => {
  const bot = await openWatch({ invoices: {} });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { channel } = bot.directory;
  Object.assign(bot.directory, { channel: (id: string) => answered.then(() => channel(id)) });
  const held = () => Promise.all(['sweep:under way', `telling:${ops}`].map(bot.store.leases.isTaken));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
    answer();
  });
  const sweep = bot.replicas[0]?.sweepAlerts();
  await bot.until(async () => (await held()).every(Boolean), 'both leases');
  await bot.pass(hour);
  expect(await held()).toEqual([false, false]);
  vi.advanceTimersByTime(minute);
  await bot.until(async () => (await held()).every(Boolean), 'both renewed');
  answer();
  await sweep;
  expect(await held()).toEqual([false, false]);
});

const other = 'C0OTHER';

test('a subscription that this version cannot read stops the alerts of its channel alone, and ends none of them', async () => {
  const bot = await openWatch({ power: {} });
  await subscribe(bot, { 'order-status': {} }, { channel: other });
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  await bot.later(minute);
  expect(bot.alerts().map(({ channel }) => channel)).toEqual([other]);
  // As a newer version wrote it.
  await bot.database.run(
    `update stored_values set value = replace(value, '"remindMs"', '"later":true,"remindMs"') where key like '%${other}%'`,
  );
  bot.sim.power({ order: '34-12345', state: 'off' });
  for (let n = 0; n < 20 && bot.alerts().length < 2; n++) await bot.later(minute);
  expect(bot.alerts().map(({ channel }) => channel)).toEqual([other, ops]);
  expect(await bot.store.alerts.active(other, 'order-status')).toHaveLength(1);
  expect(bot.log.join('\n')).toContain(
    'this version cannot read the alert subscription of this channel: no alerts are posted there',
  );
});

test('a change by hand some seconds after the subscription is noticed', async ({ bot }) => {
  await bot.replicas[0]?.sweepAlerts();
  await confirmed(bot, 'alerts on zone');
  await bot.until(async () => (await bot.store.values.find('looked', ['zone'])).size > 0, 'the first reading');
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '192.0.2.66' }] });
  bot.skip(6 * minute);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.transcript()).toContain('example.org was changed by hand');
});
