import { expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { openRoom } from '../support/room.ts';
import { people } from '../support/workspace.ts';
import { day, hour, makeHookAlone, minute, openHooks, openWatch, subscribe, tidy, type Watch } from './support.ts';

/** Acknowledged, snoozed, reminded, held down, kept quiet, put together; and what a sweep costs. */

const blocked = (room: Watch, ids: readonly string[], status: 'blocked' | 'active' = 'blocked') => {
  for (const order of ids) room.sim.order({ order, status });
};

test('acknowledged says who and until when, and is open again when that is over', async () => {
  const room = await openWatch(
    { 'order-status': { on: ['order:34-12399'] } },
    { settings: { acknowledgeMs: 2 * hour } },
  );
  blocked(room, ['34-12399']);
  await room.sweep();
  await room.press('reader', 'Acknowledge');
  await room.delivered();
  expect(room.story()).toContain('## ▲ web-2 is blocked  [acknowledged]');
  expect(room.story()).toContain('acknowledged by @reader until ‹date›');
  expect(room.story()).not.toContain('[Acknowledge]');

  await room.later(hour);
  expect(room.alerts()).toHaveLength(1);
  await room.later(hour + minute);
  expect(room.story()).toContain('## ▲ web-2 is blocked  [critical]');
  expect(room.story()).toContain('    Still open: web-2 is blocked · acknowledged by @reader until now');
  const kinds = (await room.store.audit.list({ limit: 50 })).map((row) => row.kind);
  expect(kinds).toContain('alert');
});

test('the second to acknowledge learns who was first, and somebody without the right is refused', async () => {
  const room = await openWatch({ balance: {} });
  room.sim.balance({ balance: 50 });
  await room.sweep();
  await room.press('reader', 'Acknowledge');
  expect(room.story()).toContain('(only @reader) You may not acknowledge this: this needs billing; you hold: read.');
  expect(room.story()).toContain('[open]');
  const button = room
    .alerts()[0]
    ?.view.parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []))
    .at(-1);
  if (button === undefined) throw new Error('no button');
  await room.click('operator', button);
  await room.click('lead', button);
  expect(room.story()).toContain('(only @lead) It is acknowledged by @operator until ‹date›.');
  const audit = (await room.store.audit.list({ limit: 50 })).map((row) => row.kind);
  expect(audit.filter((kind) => kind === 'alert')).toHaveLength(1);
  expect(audit).toContain('alert_refused');
});

test('snoozed is silent until then; an escalation to critical wakes it', async () => {
  const room = await openWatch({ balance: { at: [14, 7, 3] } });
  room.sim.balance({ balance: 50 });
  await room.sweep();
  await room.press('operator', '7 days');
  await room.delivered();
  expect(room.story()).toContain('snoozed by @operator until ‹date›');
  room.sim.balance({ balance: 20 });
  await room.later(16 * minute);
  expect(room.story()).toContain('[snoozed]');
  expect(room.alerts()).toHaveLength(1);
  room.sim.balance({ balance: 1 });
  await room.later(16 * minute);
  expect(room.story()).toContain('[critical]');
  expect(room.alerts()).toHaveLength(2);
});

test('reminders come only as configured', async () => {
  const room = await openWatch({ invoices: {} }, { settings: { remindMs: 4 * hour } });
  await room.sweep();
  await room.later(3 * hour);
  expect(room.alerts()).toHaveLength(1);
  await room.later(hour + minute);
  expect(room.story()).toContain('    Still open after 4 h 1 min: 1 invoice is unpaid');
  await room.later(hour);
  expect(room.alerts()).toHaveLength(2);
  await room.press('operator', 'Acknowledge');
  await room.later(8 * hour);
  expect(room.alerts()).toHaveLength(2);
});

test('several of a kind in one sweep are one digest, which is resolved as one', async () => {
  const room = await openWatch({ 'order-status': { on: ['tag:web'] } });
  await room.sweep();
  blocked(room, ['34-12345', '34-12399', '34-12407']);
  await room.later(6 * minute);
  expect(room.story()).toMatchInlineSnapshot(`
    "## ▲ 3 orders are blocked, disabled or expired  [open]
    ▲ web-1 is blocked · critical
    ▲ web-2 is blocked · critical
    ▲ web-3 is blocked · critical
    · open since ‹date›
    [Order web-1] [Order web-2] [Order web-3] [List] [Acknowledge]
    [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]"
  `);
  blocked(room, ['34-12399'], 'active');
  await room.later(6 * minute);
  expect(room.story()).toContain('✓ web-2 is active · lasted 6 min');
  await room.press('operator', 'Acknowledge');
  await room.delivered();
  expect(room.story().match(/acknowledged by @operator/g)).toHaveLength(2);
  blocked(room, ['34-12345', '34-12407'], 'active');
  await room.later(6 * minute);
  expect(room.alerts()).toHaveLength(1);
  expect(room.story()).toMatchInlineSnapshot(`
    "✓ 3 orders are blocked, disabled or expired: all resolved
    ✓ web-1 is active · lasted 12 min
    ✓ web-2 is active · lasted 6 min
    ✓ web-3 is active · lasted 12 min
    · lasted 12 min"
  `);
});

test('several that get worse in one sweep are one word in the thread of their digest', async () => {
  const room = await openWatch({ expiring: { on: ['tag:web'], at: [14, 7] } });
  for (const order of ['34-12345', '34-12399', '34-12407'])
    room.sim.order({ order, autorenew: false, expiration_date: new Date(room.now() + 13.5 * day).toISOString() });
  await room.sweep();
  await room.press('operator', 'Acknowledge');
  await room.later(7 * day);
  expect(room.alerts()).toHaveLength(2);
  expect(room.story()).toContain(
    '    ▲ 3 alerts got worse: web-1 expires in 6 days; web-2 expires in 6 days; web-3 expires in 6 days',
  );
});

test('what goes on and off is one message, and is resolved only when it stays away', async () => {
  const room = await openWatch({ 'order-status': { on: ['order:34-12399'] } });
  for (let n = 0; n < 4; n++) {
    blocked(room, ['34-12399']);
    await room.later(6 * minute);
    blocked(room, ['34-12399'], 'active');
    await room.later(6 * minute);
  }
  expect(room.story()).toContain('▲ web-2 is blocked');
  expect(room.story()).toContain('on and off, 4 times');
  // It was said to be over once, so it is said once that it is not.
  const words = room.alerts().map((message) => message.view.summary);
  expect(words).toEqual(['▲ web-2 is blocked', '▲ web-2 is blocked · critical · on and off, 2 times']);
  for (let n = 0; n < 3; n++) await room.later(6 * minute);
  expect(room.story()).toContain('▲ web-2 is blocked');
  await room.later(6 * minute);
  expect(room.story()).toMatch(/^✓ web-2 is active/);
  expect(room.alerts()).toHaveLength(2);
});

test('what is snoozed and goes on and off is silent until then', async () => {
  const room = await openWatch({ 'order-status': { on: ['order:34-12399'] } });
  blocked(room, ['34-12399']);
  await room.sweep();
  await room.press('operator', '4 hours');
  for (let n = 0; n < 3; n++) {
    blocked(room, ['34-12399'], 'active');
    await room.later(40 * minute);
    expect(room.alerts()).toHaveLength(1);
    blocked(room, ['34-12399']);
    await room.later(30 * minute);
    expect(room.story()).toContain('[snoozed]');
  }
  expect(room.alerts()).toHaveLength(1);
  await room.later(hour);
  expect(room.story()).toContain('    Still open: web-2 is blocked · snoozed by @operator until now');
});

test('quiet hours hold back all but what is critical, and tell the rest when they end', async () => {
  const now = new Date();
  const clock = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(11, 16);
  const quiet = { from: clock(-hour), to: clock(2 * hour) };
  const room = await openWatch(
    { invoices: {}, 'order-status': { on: ['order:34-12399'] } },
    { settings: { quiet, timeZone: 'UTC' } },
  );
  blocked(room, ['34-12399']);
  await room.sweep();
  expect(room.alerts().map((message) => message.view.summary)).toEqual(['▲ web-2 is blocked']);
  await room.say('operator', 'alerts list');
  expect(room.transcript()).toContain('1 invoice is unpaid │ warning');
  await room.later(2 * hour + minute);
  expect(room.alerts().map((message) => message.view.summary)).toEqual(['▲ web-2 is blocked', '▲ 1 invoice is unpaid']);
});

test('a channel that no longer wants it is told so, once', async () => {
  const room = await openWatch({ invoices: {} });
  await room.sweep();
  await room.say('operator', 'alerts off invoices');
  await room.press('operator', 'Confirm');
  await room.settle();
  await room.later(minute);
  expect(room.alerts()[0]?.view.summary).toMatch(/^✓ No longer watched here/);
  await room.later(hour);
  expect(room.alerts()).toHaveLength(1);
});

test('a channel that was shared since is told nothing; the list keeps it', async () => {
  const room = await openWatch({ invoices: {} });
  await room.say('operator', 'access');
  const channel = room.channels.get('C0OPS');
  if (channel === undefined) throw new Error('no channel');
  room.channels.set('C0OPS', { ...channel, isShared: true });
  await room.sweep();
  expect(room.alerts()).toEqual([]);
  expect(await room.store.alerts.countOpen('C0OPS')).toBe(1);
  room.channels.set('C0OPS', channel);
  await room.later(minute);
  expect(room.alerts()).toHaveLength(1);
});

test.each([
  ['archived', { isArchived: true }],
  ['without the bot', { hasBot: false }],
])('a channel that is %s is told nothing, and what is new when that is over', async (_, change) => {
  const room = await openWatch({ invoices: {}, 'order-status': { on: ['order:34-12399'] } });
  blocked(room, ['34-12399']);
  await room.sweep();
  const channel = room.channels.get('C0OPS');
  if (channel === undefined) throw new Error('no channel');
  expect(room.alerts()).toHaveLength(2);
  room.channels.set('C0OPS', { ...channel, ...change });
  const { post } = await openHooks(room);
  const { url } = await makeHookAlone(room, 'json');
  expect((await post(url, '{"id": "disk", "title": "Disk of db-1 is full"}')).status).toBe(200);
  blocked(room, ['34-12399'], 'active');
  await room.later(6 * minute);
  expect(room.story()).not.toContain('✓');
  expect(room.alerts()).toHaveLength(2);
  room.channels.set('C0OPS', channel);
  await room.later(minute);
  const words = room.alerts().map((message) => message.view.summary);
  expect(words).toHaveLength(3);
  expect(words).toEqual(
    expect.arrayContaining([
      '▲ 1 invoice is unpaid',
      expect.stringContaining('✓ web-2 is active'),
      '▲ Disk of db-1 is full',
    ]),
  );
});

test('a sweep costs a few lists, and its share of the servers', async () => {
  const room = await openWatch({
    balance: {},
    invoices: {},
    expiring: {},
    'order-status': {},
    'cancel-mark': {},
    power: {},
    job: {},
    zone: {},
    'api-key': {},
    'api-unreachable': {},
  });
  for (let n = 0; n < 6; n++) await room.later(minute);
  room.sim.clearRequests();
  await room.later(minute);
  const routes = room.sim.requests().map((request) => request.route);
  const powers = routes.filter((route) => route === 'GET /vps/{order_id}/status/');
  expect(powers.length).toBeLessThanOrEqual(3);
  expect(routes.length - powers.length).toBeLessThanOrEqual(10);
  room.sim.clearRequests();
  for (let n = 0; n < 5; n++) await room.later(minute);
  const five = room.sim.requests().filter((request) => request.route === 'GET /vps/{order_id}/status/');
  expect(new Set(five.map((request) => request.path)).size).toBe(five.length);
});

test('thousands of servers: a hundred of them in a sweep, and the lists every five minutes', async () => {
  const rules = Object.fromEntries(alertRules.map(({ name }) => [name, {}]));
  const room = await openWatch(rules, { seed: { orders: 1_500 } });
  const sent = async () => {
    room.sim.clearRequests();
    await room.later(minute);
    const all = room.sim.requests();
    const power = all.filter((request) => request.route === 'GET /vps/{order_id}/status/').map(({ path }) => path);
    return { power, others: all.length - power.length };
  };
  await room.sweep();
  const sweeps = [];
  for (let n = 0; n < 5; n++) sweeps.push(await sent());
  expect(Math.max(...sweeps.map(({ power }) => power.length))).toBe(100);
  // Nobody is asked again before all have been asked.
  const asked = sweeps.flatMap(({ power }) => power);
  expect(new Set(asked).size).toBe(asked.length);
  // Orders and servers come in pages of a hundred, fifteen each: once in five minutes, and the balance in all.
  expect(
    sweeps
      .map(({ others }) => others)
      .toSorted((a, b) => a - b)
      .slice(0, 4),
  ).toEqual([1, 1, 1, 1]);
  expect(Math.max(...sweeps.map(({ others }) => others))).toBeLessThan(50);
});

test('nobody subscribed: nothing is read', async () => {
  const room = await openRoom();
  room.sim.clearRequests();
  await room.pass(day);
  await room.replicas[0]?.sweepAlerts();
  expect(room.sim.requests()).toEqual([]);
});

test('by form: the rules there are, those that are on, and the hooks are chosen from lists', async () => {
  const room = await openRoom();
  await subscribe(room, { power: {}, zone: {} });
  await makeHookAlone(room, 'grafana');
  const offered = async (user: string, line: string, text = '') => {
    const form = await room.open(user, { line });
    if (!('fields' in form)) throw new Error(form.summary);
    const [field] = form.fields;
    if (field?.widget !== 'search') throw new Error('nothing to search');
    const found = await room.replicas[0]?.engine.suggest({
      actor: people[user] ?? '',
      form: form.id,
      source: field.source,
      text,
    });
    return found?.map(({ label }) => label);
  };
  expect(await offered('operator', 'alerts on')).toEqual(['all', ...alertRules.map(({ name }) => name)]);
  expect(await offered('operator', 'alerts on', 'expires')).toEqual(['expiring']);
  expect(await offered('operator', 'alerts off')).toEqual(['all', 'power', 'zone']);
  expect(await offered('admin', 'alerts hook revoke')).toEqual(['grafana']);

  const form = await room.open('operator', { line: 'alerts on' });
  await room.submit('operator', form, { rules: ['balance', 'expiring'], on: 'tag:web' });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toContain('+ balance: all · at 14, 7, 3 days\n+ expiring: tag:web · at 14, 7, 3, 1 days');

  // Buttons are for who may use them.
  await room.say('reader', 'alerts');
  expect(room.story().split('\n').at(-1)).toBe('[Open alerts] [All rules]');
});

test('by text: on, quiet, remind, test, list and off', async () => {
  const room = await openRoom();
  await subscribe(room, {});
  for (const line of [
    'alerts on expiring power at=7,2 on=tag:web',
    'alerts on expirin',
    'alerts on expiring at=7,2,30 on=tag:web',
    'alerts quiet 22:00-07:00 zone=Europe/Amsterdam',
    'alerts quiet 22:00-07:00 zone=Mars/Base',
    'alerts remind every=4h',
  ]) {
    const cards = room.posted.length;
    await room.say('operator', line);
    if (room.posted.slice(cards).some((message) => message.key.startsWith('card:'))) {
      await room.press('operator', 'Confirm');
      await room.settle();
    }
  }
  await room.say('reader', 'alerts on power');
  await room.say('operator', 'alerts');
  await room.say('operator', 'alerts test power');
  await room.settle();
  await room.press('operator', 'Acknowledge');
  expect(tidy(room.story())).toMatchInlineSnapshot(`
    "(only @operator) 7,2 are no thresholds for power. This rule has none: leave them out.
    (only @operator) There is no alert rule expirin. Did you mean expiring?
    ## Alerts: expiring  [done in ‹time›]
    + expiring: tag:web · at 30, 7, 2 days
    ✓ This channel is told · version 2.
    · Asked and confirmed by @operator · ‹id›
        @operator This channel is told · version 2.
    ## Quiet hours 22:00–07:00  [done in ‹time›]
    − quiet hours: none
    + quiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical
    ✓ The quiet hours are set · version 3.
    · Asked and confirmed by @operator · ‹id›
        @operator The quiet hours are set · version 3.
    (only @operator) Mars/Base is no time zone I know. Write it like Europe/Amsterdam.
    ## Reminders  [done in ‹time›]
    − reminders: none
    + reminders: every 4 h
    ✓ Set · version 4.
    · Asked and confirmed by @operator · ‹id›
        @operator Set · version 4.
    (only @reader) You may not alerts on here: this needs operate; you hold: read. See /host why alerts on.
    (only @operator) ## Alerts here  [nothing is open]
    This channel is told of 1 thing.
    \`\`\`
    expiring: tag:web · at 30, 7, 2 days
    quiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical
    reminders: every 4 h
    an acknowledgement holds 1 day
    \`\`\`
    [Tell of…] [No longer tell of…] [Quiet hours…] [Reminders…] [Open alerts] [All rules]
    ## ▲ web-1 went off  [a sample]
    34-12345 · 192.0.2.10 · VPS-2
    power on → off · seen ‹date› · not asked for here
    · This is what power looks like: the power differs from what it was, and no operation of ours touched the server. It clears when it is as before, an operation of ours has set it, or a day has passed: then that is how it is.
    [Acknowledge]
    (only @operator) This is a sample: there is nothing to acknowledge."
  `);
});
