import { expect, onTestFinished, test, vi } from 'vitest';
import { hour, minute, openWatch } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { engines } from '../../support/database/databases.ts';

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
  expect(said.toSorted()).toEqual([
    '🔴 web-2 is blocked',
    '🟡 1 invoice is unpaid',
    '🟡 example.org was changed by hand',
  ]);
  expect(bot.sim.requests().filter((request) => request.route === 'GET /account/invoices')).toHaveLength(1);
});

test('the leases of a sweep and of a publication are renewed while they last', async () => {
  const bot = await openWatch({ invoices: {} }, { engine: 'sqlite' });
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
