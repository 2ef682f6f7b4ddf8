import { expect, test } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import {
  day,
  hour,
  makeHookAlone,
  minute,
  openHooks,
  openWatch,
  subscribe,
  tidy,
  type Watch,
} from '../../alerts/support.ts';
import { people } from '../../support/fake-slack.ts';
import { startTestBot } from '../../support/test-bot.ts';

/** The life of an alert: a person on it, snoozed, reminded, flapping, quiet, several at once; and the cost of a sweep. */

const blocked = (bot: Watch, ids: readonly string[], status: 'blocked' | 'active' = 'blocked') => {
  for (const order of ids) bot.sim.order({ order, status });
};

test('the message says who is on the alert, and the alert is open again when that time ends', async () => {
  const bot = await openWatch(
    { 'order-status': { on: ['order:34-12399'] } },
    { settings: { acknowledgeMs: 2 * hour } },
  );
  blocked(bot, ['34-12399']);
  await bot.sweep();
  await bot.press('reader', "I'm on it");
  await bot.delivered();
  expect(bot.story()).toContain('## 🔴 web-2 is blocked');
  expect(bot.story()).toContain('\n@reader is on it\n');
  expect(bot.story()).not.toContain("[I'm on it]");

  await bot.later(hour);
  expect(bot.alerts()).toHaveLength(1);
  await bot.later(hour + minute);
  expect(bot.story()).toContain('## 🔴 web-2 is blocked');
  expect(bot.story()).toContain('    Still open: web-2 is blocked · @reader was on it until now');
  const kinds = (await bot.store.audit.list({ limit: 50 })).map((row) => row.kind);
  expect(kinds).toContain('alert');
});

test('the second person who clicks learns who is on the alert, and a person without the right is refused', async () => {
  const bot = await openWatch({ balance: {} });
  bot.sim.balance({ balance: 40 });
  await bot.sweep();
  await bot.press('reader', "I'm on it");
  expect(bot.story()).toContain('(only @reader) You may not handle this alert: you need “billing”; you have “read”.');
  expect(bot.story()).toContain('## 🟡 Balance covers 11 days\n');
  const button = bot
    .alerts()[0]
    ?.view.parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []))
    .find(({ label }) => label === "I'm on it");
  if (button === undefined) throw new Error('no button');
  await bot.click('operator', button);
  await bot.click('lead', button);
  expect(bot.story()).toContain('(only @lead) @operator has been on it since ‹date›.');
  const audit = (await bot.store.audit.list({ limit: 50 })).map((row) => row.kind);
  expect(audit.filter((kind) => kind === 'alert')).toHaveLength(1);
  expect(audit).toContain('alert_refused');
});

test('a snoozed alert is silent until its time ends, unless it becomes critical', async () => {
  const bot = await openWatch({ balance: { at: [14, 7, 3] } });
  bot.sim.balance({ balance: 40 });
  await bot.sweep();
  await bot.press('operator', 'Snooze for 7 days');
  await bot.delivered();
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
  await bot.press('operator', "I'm on it");
  await bot.delivered();
  expect(bot.story().match(/@operator is on it/g)).toHaveLength(2);
  blocked(bot, ['34-12345', '34-12407'], 'active');
  await bot.later(6 * minute);
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.story()).toMatchInlineSnapshot(`
    "✅ Resolved: 3 orders are blocked, disabled or expired, after 12 min
    ✅ web-1 is active · after 12 min
    ✅ web-2 is active · after 6 min
    ✅ web-3 is active · after 12 min"
  `);
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
  const bot = await openWatch(
    { invoices: {}, 'order-status': { on: ['order:34-12399'] } },
    { settings: { quiet, timeZone: 'UTC' } },
  );
  blocked(bot, ['34-12399']);
  await bot.sweep();
  expect(bot.alerts().map((message) => message.view.summary)).toEqual(['🔴 web-2 is blocked']);
  await bot.say('operator', 'alerts list');
  expect(bot.transcript()).toContain('🟡 1 invoice is unpaid │');
  await bot.later(2 * hour + minute);
  expect(bot.alerts().map((message) => message.view.summary)).toEqual([
    '🔴 web-2 is blocked',
    '🟡 1 invoice is unpaid',
  ]);
});

test('when a channel turns an alert off, the message of the alert says so, once', async () => {
  const bot = await openWatch({ invoices: {} });
  await bot.sweep();
  await bot.say('operator', 'alerts off invoices');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^⚪ No longer watched here/);
  await bot.later(hour);
  expect(bot.alerts()).toHaveLength(1);
});

test('a channel that became shared gets no alerts, and they are kept until it is no longer shared', async () => {
  const bot = await openWatch({ invoices: {} });
  await bot.say('operator', 'access');
  const channel = bot.channels.get('C0OPS');
  if (channel === undefined) throw new Error('no channel');
  bot.channels.set('C0OPS', { ...channel, isShared: true });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  expect(await bot.store.alerts.countOpen('C0OPS')).toBe(1);
  bot.channels.set('C0OPS', channel);
  await bot.later(minute);
  expect(bot.alerts()).toHaveLength(1);
});

test.each([
  ['archived', { isArchived: true }],
  ['without the bot', { hasBot: false }],
])('a channel that is %s gets no alerts, and new alerts are posted when it gets messages again', async (_, change) => {
  const bot = await openWatch({ invoices: {}, 'order-status': { on: ['order:34-12399'] } });
  blocked(bot, ['34-12399']);
  await bot.sweep();
  const channel = bot.channels.get('C0OPS');
  if (channel === undefined) throw new Error('no channel');
  expect(bot.alerts()).toHaveLength(2);
  bot.channels.set('C0OPS', { ...channel, ...change });
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  expect((await post(url, '{"id": "disk", "title": "Disk of db-1 is full"}')).status).toBe(200);
  blocked(bot, ['34-12399'], 'active');
  await bot.later(6 * minute);
  expect(bot.story()).not.toContain('✓');
  expect(bot.alerts()).toHaveLength(2);
  bot.channels.set('C0OPS', channel);
  await bot.later(minute);
  const words = bot.alerts().map((message) => message.view.summary);
  expect(words).toHaveLength(3);
  expect(words).toEqual(
    expect.arrayContaining([
      '🟡 1 invoice is unpaid',
      expect.stringContaining('✅ web-2 is active'),
      '🟡 Disk of db-1 is full',
    ]),
  );
});

test('a sweep reads a few lists and its share of the servers', async () => {
  const bot = await openWatch({
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
  for (let n = 0; n < 6; n++) await bot.later(minute);
  bot.sim.clearRequests();
  await bot.later(minute);
  const routes = bot.sim.requests().map((request) => request.route);
  const powers = routes.filter((route) => route === 'GET /vps/{order_id}/status/');
  expect(powers.length).toBeLessThanOrEqual(3);
  expect(routes.length - powers.length).toBeLessThanOrEqual(10);
  bot.sim.clearRequests();
  for (let n = 0; n < 5; n++) await bot.later(minute);
  const five = bot.sim.requests().filter((request) => request.route === 'GET /vps/{order_id}/status/');
  expect(new Set(five.map((request) => request.path)).size).toBe(five.length);
});

test('with thousands of servers, a sweep reads the power of a hundred, and the lists are read every five minutes', async () => {
  const rules = Object.fromEntries(alertRules.map(({ name }) => [name, {}]));
  const bot = await openWatch(rules, { seed: { orders: 1_500 } });
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
  expect(
    sweeps
      .map(({ others }) => others)
      .toSorted((a, b) => a - b)
      .slice(0, 4),
  ).toEqual([1, 1, 1, 1]);
  expect(Math.max(...sweeps.map(({ others }) => others))).toBeLessThan(50);
});

test('when no channel subscribed, nothing is read from the provider', async () => {
  const bot = await startTestBot();
  bot.sim.clearRequests();
  await bot.pass(day);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.sim.requests()).toEqual([]);
});

test('the forms of the alerts commands offer the rules that exist, those that are on, and the hooks', async () => {
  const bot = await startTestBot();
  await subscribe(bot, { power: {}, zone: {} });
  await makeHookAlone(bot, 'grafana');
  const offered = async (user: string, line: string, text = '') => {
    const form = await bot.open(user, { line });
    if (!('fields' in form)) throw new Error(String(form.summary));
    const [field] = form.fields;
    if (field?.widget !== 'search') throw new Error('nothing to search');
    const found = await bot.replicas[0]?.engine.suggest({
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

  const form = await bot.open('operator', { line: 'alerts on' });
  await bot.submit('operator', form, { rules: ['balance', 'expiring'], on: 'tag:web' });
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.story()).toContain('+ balance: all · at 14, 7, 3 days\n+ expiring: tag:web · at 14, 7, 3, 1 days');

  // A person sees only buttons that they may use.
  await bot.say('reader', 'alerts');
  expect(bot.story().split('\n').at(-1)).toBe('[All rules]');
});

test('each alerts command that is typed gives the expected card and answer', async () => {
  // No order expires so soon: a sweep may come in between.
  const bot = await startTestBot();
  await subscribe(bot, {});
  for (const line of [
    'alerts on expiring power at=7,2 on=tag:web',
    'alerts on expirin',
    'alerts on expiring at=7,2,14 on=tag:web',
    'alerts quiet 22:00-07:00 zone=Europe/Amsterdam',
    'alerts quiet 22:00-07:00 zone=Mars/Base',
    'alerts remind every=4h',
  ]) {
    const cards = bot.posted.length;
    await bot.say('operator', line);
    if (bot.posted.slice(cards).some((message) => message.key.startsWith('card:'))) {
      await bot.press('operator', 'Confirm');
      await bot.settle();
    }
  }
  await bot.say('reader', 'alerts on power');
  await bot.say('operator', 'alerts');
  await bot.say('operator', 'alerts test power');
  await bot.settle();
  await bot.press('operator', "I'm on it");
  expect(tidy(bot.story())).toMatchInlineSnapshot(`
    "(only @operator) 7,2 are no thresholds for power. This rule has none: leave them out.
    [Open the form]
    (only @operator) There is no alert rule expirin. Did you mean expiring?
    [Open the form]
    ## ✅ Turn on alerts: expiring  [done in ‹time›]
    + expiring: tag:web · at 14, 7, 2 days
    ✓ This channel hears of them from now on.
    · Asked and confirmed by @operator
    [More ▾ [Details]]
        This channel hears of them from now on.
    ## ✅ Set quiet hours 22:00–07:00  [done in ‹time›]
    − no quiet hours
    + quiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical
    ✓ The quiet hours are set.
    · Asked and confirmed by @operator
    [More ▾ [Details]]
        The quiet hours are set.
    (only @operator) Mars/Base is not a known time zone. Write it like Europe/Amsterdam.
    [Open the form]
    ## ✅ Set reminders  [done in ‹time›]
    − no reminders
    + reminders: every 4 h
    ✓ Set.
    · Asked and confirmed by @operator
    [More ▾ [Details]]
        Set.
    (only @reader) You may not use /host alerts on here: you need “operate”; you have “read”. /host why alerts on explains it.
    [Ask for access]
    (only @operator) ## Alerts here  [nothing is open]
    1 alert is on.
    \`\`\`
    expiring: tag:web · at 14, 7, 2 days
    quiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical
    reminders: every 4 h
    an acknowledged alert comes back after 1 day
    \`\`\`
    [Subscribe…]
    [More ▾ [Unsubscribe…] [Quiet hours…] [Reminders…] [All rules] [Digest…] [Sample…]]
    (only @operator) ## 🔴 web-1 is off  [a sample]
    example.com and www.example.com point to it
    · This is what power looks like: the power state changed, and the bot did not change it. It clears when the power state is restored, a request here that is done set it, or a person says that it is right.
    [I'm on it]
    (only @operator) This is a sample: there is nothing to do."
  `);
});
