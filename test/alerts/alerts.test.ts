import { expect, test } from 'vitest';
import { z } from 'zod';
import { defaultTtl } from '../../src/core/dns/record.ts';
import { ops } from '../support/fake-slack.ts';
import { day, hour, minute, openWatch, subscribe } from './support.ts';

/** Tests of single rules; the life that all rules share is in test/engine/alerts/lifecycle.test.ts. */

test('an order that expires has one alert from fourteen days to one day, and the alert escalates', async () => {
  const bot = await openWatch({ expiring: { on: ['order:34-12380'] } });
  bot.sim.order({
    order: '34-12380',
    status: 'noprolong',
    expiration_date: new Date(bot.now() + 15.5 * day).toISOString(),
  });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  await bot.later(day + 12 * hour);
  expect(bot.story()).toMatchInlineSnapshot(`
    "## 🟡 vpn-1 expires in 14 days
    34-12380 · 203.0.113.129 · Cloud NVMe 1 · is not renewed by itself
    · since ‹date›
    [Order] [I'm on it]
    [More ▾ [Ticket…] [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
  `);
  await bot.later(7 * day);
  await bot.later(4 * day);
  await bot.later(2 * day);
  expect(bot.story()).toMatchInlineSnapshot(`
    "## 🔴 vpn-1 expires in 1 day
    34-12380 · 203.0.113.129 · Cloud NVMe 1 · is not renewed by itself
    · since ‹date›
    [Order] [I'm on it]
    [More ▾ [Ticket…] [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]
        🔴 vpn-1 expires in 1 day"
  `);
  bot.sim.renew({ order: '34-12380' });
  await bot.later(2 * hour);
  expect(bot.story()).toContain('✅ vpn-1 is paid for ');
  expect(bot.alerts()).toHaveLength(2);
});

test('an order that somebody marked for cancellation elsewhere raises an alert, and the alert’s own button keeps it', async () => {
  const bot = await openWatch({ 'cancel-mark': {} });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  bot.sim.order({ order: '34-12345', cancel_mark: true });
  await bot.later(11 * minute);
  expect(bot.story()).toMatchInlineSnapshot(`
    "## 🔴 web-1 is marked for cancellation
    34-12345 · 192.0.2.10 · Cloud NVMe 2 · ends in 19 days · not asked in Slack
    · since ‹date›
    [Keep] [I'm on it]
    [More ▾ [Ticket…] [Canceling is right] [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
  `);
  await bot.press('operator', 'Keep');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.later(11 * minute);
  expect(bot.story()).toContain('✅ web-1 is kept');
  expect(bot.alerts().map(({ threadTs }) => threadTs === null)).toEqual([true, false]);
});

test('a server that somebody switches off by hand raises an alert with Start; a server that the bot switches off does not', async () => {
  const bot = await openWatch({ power: { on: ['tag:web'] } });
  await bot.sweep();
  await bot.later(minute);
  await bot.later(minute);
  await bot.later(minute);
  expect(bot.alerts()).toEqual([]);

  // Through the bot.
  await bot.say('operator', 'stop web-2');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  for (let n = 0; n < 6; n++) await bot.later(minute);
  expect(bot.alerts()).toEqual([]);

  // By hand, in the panel.
  bot.sim.power({ order: '34-12345', state: 'off' });
  for (let n = 0; n < 6; n++) await bot.later(minute);
  expect(bot.alerts()).toHaveLength(1);
  const said = bot.alerts()[0]?.view;
  expect(said?.summary).toBe('🔴 web-1 is off');
  await bot.press('operator', 'Start');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  for (let n = 0; n < 6; n++) await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅ web-1 is on again, after \d+ min$/);
  expect(bot.alerts().map(({ threadTs }) => threadTs === null)).toEqual([true, false]);
});

test('a job that ends in error and a job that hangs raise alerts', async () => {
  const bot = await openWatch({ job: { at: [10] } });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.sweep();
  expect(bot.alerts(), 'the card and its thread have said it here').toEqual([]);
  await subscribe(bot, { job: { at: [10] } }, { channel: 'C0OTHER' });
  await bot.later(minute);
  expect(bot.alerts().map(({ channel, view }) => [channel, view.summary])).toEqual([
    ['C0OTHER', '🟡 web-1: restart, job 812, ended in error'],
  ]);

  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await bot.say('operator', 'restart web-2');
  await bot.press('operator', 'Confirm');
  await bot.until(
    () => bot.sim.requests().filter((request) => request.route === 'POST /vps/{order_id}/restart/').length === 2,
  );
  await bot.later(minute);
  expect(bot.alerts()).toHaveLength(1);
  await bot.later(12 * minute);
  const here = () => bot.alerts().find(({ channel }) => channel === ops)?.view.summary;
  expect(here()).toBe('🟡 web-2: restart, job 813, has been running for 10 min');
  bot.sim.job({ pk: 813, state: 'done' });
  await bot.settle();
  await bot.later(minute);
  expect(here()).toMatch(/^✅ web-2: restart, job 813, is done/);
});

test('the traffic alert says how much of the limit is used, and is resolved when the limit is raised', async () => {
  const bot = await openWatch({ traffic: { on: ['order:34-1000101'] } });
  await bot.sweep();
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.story()).toContain('files-1 has used 8');
  expect(bot.story()).toContain("[Traffic] [I'm on it]");
  bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 100e12 });
  await bot.later(31 * minute);
  expect(bot.story()).toMatch(/^✅ files-1 has used \d % of its traffic/);
});

test('the traffic of every server is read every half hour, and a server that cannot be read hides no other', async () => {
  const bot = await openWatch({ traffic: {} });
  for (const order of ['34-1000101', '34-1000102'])
    bot.sim.order({ order, traffic_limit_bytes: 100e12, traffic_bytes_per_sec: 0 });
  const asked = async () => {
    bot.sim.clearRequests();
    await bot.later(30 * minute);
    const of = bot.sim.requests().filter(({ route }) => route === 'GET /orders/ds/{order_id}/traffic_used/');
    return of.map(({ path }) => path.match(/\d{7}/)?.[0]).sort();
  };
  await bot.sweep();
  for (let n = 0; n < 3; n++) expect(await asked()).toEqual(['1000101', '1000102']);
  bot.sim.fault({
    kind: 'answer',
    match: 'GET /orders/ds/{order_id}/traffic_used/',
    only: '1000101',
    status: 500,
    body: { detail: 'broken' },
  });
  bot.sim.order({ order: '34-1000102', traffic_limit_bytes: 1 });
  await bot.later(30 * minute);
  expect(bot.story()).toMatch(/has used (up its|\d+ % of its) traffic/);
  expect(bot.story()).toContain('34-1000102');
});

test('traffic that lasts to the end of the range at this pace raises no alert, and traffic that does not last raises one', async () => {
  const bot = await openWatch({ traffic: { on: ['order:34-1000101'] } });
  bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 100e12 });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  const { url, key } = bot.provider;
  const answer = await fetch(`${url}/orders/ds/1000101/traffic_used/`, {
    headers: { authorization: `Api-Key ${key}` },
  });
  const { used } = z.object({ used: z.number() }).parse(await answer.json());
  // Below the first threshold, but a third of the period is left, and less traffic than a third of the used one.
  bot.sim.order({ order: '34-1000101', traffic_limit_bytes: Math.round(used / 0.78) });
  await bot.later(31 * minute);
  expect(bot.story()).toMatch(/^## 🟡 files-1 has used 7\d % of its traffic\n/);
  expect(bot.story()).toMatch(/at the pace so far it is used up in about \d days?, before the range ends/);
});

test('the alert of a zone that was changed by hand shows the difference; a change by the bot raises no alert', async () => {
  const bot = await openWatch({ zone: {} });
  await bot.sweep();
  await bot.later(6 * minute);
  expect(bot.alerts()).toEqual([]);
  await bot.say('operator', 'dns add example.com test A 192.0.2.99');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.later(6 * minute);
  expect(bot.alerts()).toEqual([]);

  const [record] = bot.sim.records({
    domain: 'example.org',
    add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }],
  });
  await bot.later(6 * minute);
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.alerts()[0]?.view.summary).toBe('🟡 example.org was changed by hand');
  await bot.press('reader', 'Show zone diff');
  expect(bot.transcript()).toMatch(/\+ evil A 203\.0\.113\.66$/m);
  bot.sim.records({ domain: 'example.org', remove: [record?.id ?? 0] });
  await bot.later(6 * minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅ example.org: its records are as expected, after/);
});

test('a record without a TTL that gets the default TTL is no change of its zone', async () => {
  const bot = await openWatch({ zone: {} });
  const plain = { host: 'plain', type: 'A', value: '203.0.113.67' } as const;
  const [unset] = bot.sim.records({ domain: 'example.org', add: [plain] });
  await bot.sweep();
  const [set] = bot.sim.records({
    domain: 'example.org',
    remove: [unset?.id ?? 0],
    add: [{ ...plain, ttl: defaultTtl }],
  });
  await bot.later(6 * minute);
  expect(bot.alerts()).toEqual([]);
  bot.sim.records({ domain: 'example.org', remove: [set?.id ?? 0], add: [{ ...plain, ttl: 300 }] });
  await bot.later(6 * minute);
  await bot.press('reader', 'Show zone diff');
  expect(bot.transcript()).toMatch(/− plain A 203\.0\.113\.67$/m);
  expect(bot.transcript()).toContain('+ plain A 203.0.113.67 ttl 300');
});

test('a hand-made change beside a change by the bot raises an alert: records, power and the mark of an order', async () => {
  const bot = await openWatch({ zone: { on: ['domain:example.com'] }, power: { on: ['tag:web'] }, 'cancel-mark': {} });
  await bot.sweep();
  for (let n = 0; n < 3; n++) await bot.later(minute);
  for (const line of ['dns set example.com www A 192.0.2.99', 'restart web-1', 'restart web-2']) {
    await bot.say('operator', line);
    await bot.press('operator', 'Confirm');
    await bot.settle();
  }
  // All of this happens before the next sweep.
  bot.sim.records({ domain: 'example.com', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  bot.sim.power({ order: '34-12399', state: 'off' });
  bot.sim.order({ order: '34-12345', cancel_mark: true });
  for (let n = 0; n < 10; n++) await bot.later(minute);
  expect(
    bot
      .alerts()
      .map(({ view }) => view.summary)
      .sort(),
  ).toEqual(['🔴 web-1 is marked for cancellation', '🔴 web-2 is off', '🟡 example.com was changed by hand']);
  await bot.press('reader', 'Show zone diff');
  expect(bot.transcript()).toMatch(/\+ evil A 203\.0\.113\.66$/m);
  expect(bot.transcript()).not.toContain('+ www A 192.0.2.99');

  // A request of the bot explains only the records that it writes.
  await bot.say('operator', 'dns add example.com more A 192.0.2.98');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  for (let n = 0; n < 10; n++) await bot.later(minute);
  expect(bot.alerts().find(({ view }) => view.summary.includes('example.com'))?.view.summary).toBe(
    '🟡 example.com was changed by hand',
  );
});

test('while the provider refuses the key or does not answer, one alert says so, and other alerts do not change', async () => {
  const bot = await openWatch({ 'api-key': {}, 'api-unreachable': {}, invoices: {} });
  await bot.sweep();
  expect(bot.alerts()).toHaveLength(1);
  bot.sim.fault({
    kind: 'answer',
    match: '*',
    status: 401,
    body: { detail: 'Authentication credentials were not provided.' },
  });
  await bot.later(16 * minute);
  expect(bot.alerts().map((message) => message.view.summary)).toEqual([
    '🟡 1 invoice is unpaid',
    '🔴 The provider refuses the API key',
  ]);
  bot.sim.clearFaults();
  await bot.later(minute);
  expect(bot.alerts()[1]?.view.summary).toMatch(/^✅ The provider accepts the API key again/);

  bot.sim.fault({ kind: 'answer', match: '*', status: 503, body: { detail: 'away' } });
  for (let n = 0; n < 4; n++) await bot.later(minute);
  expect(bot.alerts()).toHaveLength(2);
  for (let n = 0; n < 3; n++) await bot.later(minute);
  expect(bot.alerts()[2]?.view.summary).toBe('🔴 The provider has not answered for 5 min');
  await bot.later(70 * minute);
  expect(bot.alerts()[2]?.view.summary).toBe('🔴 The provider has not answered for 1 h');
  expect(bot.alerts()[0]?.view.summary).toBe('🟡 1 invoice is unpaid');
  bot.sim.clearFaults();
  await bot.later(minute);
  expect(bot.alerts()[2]?.view.summary).toMatch(/^✅ The provider answers again/);
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
