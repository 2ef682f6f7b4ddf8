import { expect, test } from 'vitest';
import { drawAlerts } from '../../../src/engine/alerts/alert-view.ts';
import { confirmed, day, hour, minute, minutes, offByHand, openWatch, turn, type Watch } from '../../alerts/support.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { ticketPolicy, usualPolicy } from '../../support/bot/policy.ts';
import { formIn, homeOf, pressAndSettle, wordsOf } from '../told.ts';

/** An alert offers what may help next; people's own readings count; the most urgent stands first wherever alerts are listed. */

async function failToStart(bot: Watch) {
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 });
  await bot.press('operator', 'Start');
  await pressAndSettle(bot, 'operator', 'Confirm');
  await bot.until(() => bot.story().includes(' Start failed: '), 'the alert to show the attempt');
  await bot.delivered();
}

test('after a failed Start the alert offers a hard reset, which needs what the policy of the channel says', async () => {
  const bot = await offByHand();
  expect(bot.story()).not.toContain('[Hard reset…]');
  await failToStart(bot);
  expect(bot.story()).toContain('[Start again] [Hard reset…] [Ticket…]\n[More ▾ [Stats] [Hand over…] [Off is right] ');
  await bot.press('reader', 'Hard reset…');
  expect(bot.transcript()).toContain('(only @reader) You may not use /host hard-reset on db-1 here');
  await bot.press('operator', 'Hard reset…');
  expect(bot.transcript()).toContain('## ⏳ Hard reset db-1');
  expect(bot.sim.requests().some(({ route }) => route?.includes('hard'))).toBe(false);
});

test('the status of a server shows its open alert first, and the person who is on it', async () => {
  const bot = await offByHand();
  await bot.say('reader', 'status db-1');
  expect(bot.story()).toMatch(/## db-1 {2}\[.*\]\n🔴 db-1 is off · since ‹date› · nobody is on it\n\[I'm on it\]\n/);
  await bot.press('lead', "I'm on it");
  await bot.say('reader', 'status db-1');
  expect(bot.story()).toMatch(/\n🔴 db-1 is off · since ‹date› · @lead is on it\n(?!\[)/);
});

test('the summary of all servers, and the status of a dedicated one, show open alerts first as well', async () => {
  const rules = { power: { on: ['order:34-12346'] }, traffic: { on: ['order:34-1000101'], at: [20] } };
  const bot = await openWatch(rules);
  await bot.sweep();
  await turn(bot, 'off');
  const alertOf = (name: string) => `.* ${name} .* · since ‹date› · nobody is on it\\n\\[I'm on it\\]\\n`;
  await bot.say('reader', 'status');
  expect(bot.story()).toMatch(new RegExp(`only @reader\\) ${alertOf('db-1')}`));
  await bot.say('reader', 'status files-1');
  expect(bot.story()).toMatch(new RegExp(`## files-1 .*\\n${alertOf('files-1')}`));
});

test('the summary of all servers names three open alerts, and has a button for the others', async () => {
  const bot = await openWatch({ 'order-status': { on: ['tag:web', 'tag:db'] } });
  await bot.sweep();
  for (const order of ['34-12345', '34-12399', '34-12407', '34-12346']) bot.sim.order({ order, status: 'blocked' });
  await bot.later(6 * minute);
  await bot.say('reader', 'status');
  const said = bot.story().slice(bot.story().indexOf('(only @reader)'));
  expect(said.match(/ is blocked · since ‹date› · nobody is on it/g)).toHaveLength(3);
  expect(said).toContain('[1 more]');
});

test('the timeline of a server has its alert, the person on it and the request to its end, in order, as Markdown', async () => {
  const bot = await offByHand();
  await bot.say('lead', 'restart web-1');
  bot.skip(minute);
  await bot.press('operator', "I'm on it");
  bot.skip(minute);
  await bot.press('operator', 'Start');
  await pressAndSettle(bot, 'operator', 'Confirm');
  await bot.later(minute);
  await minutes(bot, 4);
  const before = bot.posted.length;
  await bot.say('operator', 'audit db-1 7d --timeline');
  const [file] = bot.posted[before]?.view.files ?? [];
  const lines = new TextDecoder().decode(file?.bytes).split('\n');
  expect(file?.name).toBe('timeline.md');
  const rows = lines.slice(2, -1).map((line) => line.replace(/^- [-\d]{10} .*? Europe\/Amsterdam\): /, ''));
  expect(rows).toEqual([
    'db-1 is off · alert opened · the bot',
    'db-1 is off · on it · @operator',
    'Start db-1 · requested · @operator',
    'Start db-1 · done · @operator',
    'db-1 is off · alert resolved · the bot',
  ]);
});

test('a ticket is no attempt: the alert still offers to start again and a hard reset, and the person who opened it is on it', async () => {
  const bot = await offByHand();
  expect(await bot.savePolicy(ops, ticketPolicy(opsGroup), 1)).toBe(true);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 });
  await confirmed(bot, 'start db-1', 'lead');
  await bot.until(() => bot.story().includes(' Start failed: '), 'the alert to show the attempt');
  expect(bot.story()).not.toContain('is on it');
  const form = formIn(await bot.open('operator', { button: 'Ticket…' }));
  const initial = form.fields.map((field) => [field.name, 'initial' in field ? field.initial : undefined]);
  await bot.submit('operator', form, Object.fromEntries(initial.filter(([, value]) => typeof value === 'string')));
  await pressAndSettle(bot, 'operator', 'Confirm');
  await bot.until(() => bot.story().includes('@operator is on it'), 'the alert to name the person');
  await bot.settle();
  await bot.sweep();
  expect(bot.story()).not.toContain(' Ticket: ');
  expect(bot.story()).toContain('[Start again] [Hard reset…] [Ticket…]');
});

test('a press of Start puts the person on the alert, also where the same request waits already or a reason is missing', async () => {
  const bot = await offByHand();
  await bot.say('lead', 'start db-1');
  await bot.press('operator', 'Start');
  await bot.until(() => bot.story().includes('@operator is on it'), 'the alert to name the person');
  expect(bot.transcript()).toContain('It was not requested twice.');
  const other = await offByHand();
  const policy = usualPolicy(opsGroup);
  const by = [`group:${opsGroup}` as const];
  const routine = { approve: 1, by, typed: false, reason: true };
  await other.savePolicy(ops, { ...policy, rules: { ...policy.rules, routine } }, 1);
  await other.press('lead', 'Start');
  await other.until(() => other.story().includes('@lead is on it'), 'the alert to name the person');
  expect(other.transcript()).toContain('The rule of this channel requires a reason.');
});

test('a standing approval is no attempt to end an alert, and its run is one', async () => {
  const bot = await offByHand();
  await confirmed(bot, 'start db-1 every="daily 03:00" until="in 10 days"');
  await bot.delivered();
  const shown = () => wordsOf(bot, bot.alerts()[0]?.view);
  expect(shown()).not.toContain(' Start: ');
  const [standing] = await bot.store.operations.list({ commands: ['start'], limit: 1 });
  bot.skip((standing?.startsAt ?? 0) - bot.now() + 50);
  await bot.store.presence.note();
  await bot.pass(0);
  await bot.until(() => shown().includes(' Start: done'), 'the run on the alert');
});

test('no hard reset is offered where the policy lets nobody ask for one', async () => {
  const bot = await offByHand();
  const policy = usualPolicy(opsGroup);
  await failToStart(bot);
  const grants = policy.grants.map((grant) => ({ ...grant, can: grant.can.filter((one) => one !== 'operate') }));
  expect(await bot.savePolicy(ops, { ...policy, grants }, 1)).toBe(true);
  const [alert] = await bot.store.alerts.listOpen({ channel: ops, limit: 5 });
  expect(await bot.store.alerts.change(alert?.id ?? '', alert?.version ?? 0, { seenAt: bot.now() })).toBe(true);
  // The sweep of this minute is over.
  await bot.later(minute);
  await bot.until(() => !bot.story().includes('[Hard reset…]'), 'the alert to be drawn anew');
});

test.each(['list', 'status db-1'])('a server that %s shows off is noticed by the next sweep', async (line) => {
  const bot = await openWatch({ power: {} });
  await minutes(bot, 6);
  bot.sim.power({ order: '34-12346', state: 'off' });
  await bot.say('operator', line);
  await bot.later(minute);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual(['🔴 db-1 is off']);
});

test('the list and Home show alerts of one level with the least time left first', async () => {
  const on = ['order:34-12345', 'order:34-12346'];
  const bot = await openWatch({ expiring: { on, at: [14] } });
  const expire = (order: string, days: number) =>
    bot.sim.order({ order, status: 'noprolong', expiration_date: new Date(bot.now() + days * day).toISOString() });
  expire('34-12345', 12.5);
  expire('34-12346', 40);
  await bot.later(hour);
  expire('34-12346', 5.5);
  await bot.later(hour);
  await bot.say('operator', 'alerts list');
  expect(bot.transcript()).toMatch(/\n🟡 db-1 expires in 5 days │.*\n🟡 web-1 expires in 12 days │/);
  expect(await homeOf(bot, 'operator')).toMatch(/db-1 expires in 5 days[\s\S]*web-1 expires in 12 days/);
});

test('the title of "alerts on all" counts the alerts, and the title for a few new ones names them', async () => {
  const bot = await openWatch({ balance: {} });
  await bot.say('operator', 'alerts on all');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on \d\d alerts$/m);
  await bot.say('operator', 'alerts on balance expiring power');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on alerts: expiring and power$/m);
});

test('expiring orders are listed by the days that are left', async () => {
  const bot = await openWatch({ expiring: { at: [14] } });
  bot.sim.balance({ balance: 0 });
  await bot.later(hour);
  const days = [...bot.story().matchAll(/(?:expires in|is paid for) (\d+) (?:more )?days/g)].map(([, number]) =>
    Number(number),
  );
  expect(days.length).toBeGreaterThan(3);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
  expect(new Set(days).size).toBeGreaterThan(3);
});

test.each(['open', 'resolved'])('%s alerts of the same millisecond are listed by their titles', async (state) => {
  const bot = await openWatch({ 'order-status': { on: ['tag:web'] } });
  for (const order of ['34-12345', '34-12399', '34-12407']) bot.sim.order({ order, status: 'blocked' });
  await bot.sweep();
  const alerts = (await bot.store.alerts.listOpen({ limit: 10 }))
    .map((row) => ({ ...row, openedAt: 1, resolvedAt: state === 'open' ? null : 2 }))
    .toSorted((a, b) => b.finding.title.localeCompare(a.finding.title));
  const shown = JSON.stringify(drawAlerts('m', alerts, String));
  const named = [...shown.matchAll(/(web-\d) is blocked (?:·|\\u00b7)/g)].map(([, name]) => name);
  expect(named).toEqual(['web-1', 'web-2', 'web-3']);
});
