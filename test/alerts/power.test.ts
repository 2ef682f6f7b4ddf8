import { expect, test } from 'vitest';
import { people } from '../support/fake-slack.ts';
import { day, hour, minute, openWatch, subscribe, type Watch } from './support.ts';

/** An alert lasts as long as its cause, also after attempts to end it. */

const first = (bot: Watch) => bot.alerts()[0]?.view.summary;

async function minutes(bot: Watch, n: number) {
  for (let passed = 0; passed < n; passed++) await bot.later(minute);
}

/** db-1 was on and is off, and the channel knows it. */
async function offByHand(options: Parameters<typeof openWatch>[1] = {}) {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } }, options);
  await bot.sweep();
  bot.sim.power({ order: '34-12346', state: 'off' });
  await minutes(bot, 6);
  expect(first(bot)).toBe('🔴 db-1 is off');
  return bot;
}

async function tryToStart(bot: Watch) {
  await bot.press('operator', 'Start');
  await bot.press('operator', 'Confirm');
}

test('a Start that ends in error leaves the alert red, also a month later and after a restart of the bot', async () => {
  const bot = await offByHand();
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 });
  await tryToStart(bot);
  await bot.settle();
  await bot.until(() => bot.story().includes(' Start failed: '), 'the alert to show the attempt');
  expect(bot.story()).toMatch(/\ndb\.example\.com points to it · @operator is on it\n‹date› Start failed: \S.*\n/);
  for (const ms of [minute, 6 * minute, 6 * minute, day + hour, 6 * minute]) {
    await bot.later(ms);
    expect(first(bot)).toBe('🔴 db-1 is off');
  }
  await bot.restart();
  for (const ms of [32 * day, 6 * minute]) {
    await bot.later(ms);
    expect(first(bot)).toBe('🔴 db-1 is off');
  }
  bot.sim.power({ order: '34-12346', state: 'on' });
  await minutes(bot, 6);
  expect(first(bot)).toMatch(/^✅ db-1 is on again, after/);
});

test('a Start that hangs or whose end is not known leaves the alert red', async () => {
  const bot = await offByHand();
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'hang', times: 1 });
  await tryToStart(bot);
  await bot.until(async () => (await bot.store.steps.jobsSince(bot.now())).length === 1, 'the job to be known');
  await minutes(bot, 12);
  await bot.later(6 * hour);
  expect(first(bot)).toBe('🔴 db-1 is off');
  expect(await bot.store.alerts.countOpen()).toBe(1);
});

test('a Stop that ends in error does not make off the usual state of the server', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  await bot.sweep();
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/stop/', end: 'error', times: 1 });
  await bot.say('operator', 'stop db-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await minutes(bot, 12);
  expect(bot.alerts()).toEqual([]);
  bot.sim.power({ order: '34-12346', state: 'off' });
  await minutes(bot, 6);
  expect(first(bot)).toBe('🔴 db-1 is off');
});

test('a server that a failed restart left off raises an alert, and so does one that was started here and went off again', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12345', 'order:34-12422'] } });
  await minutes(bot, 3);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  for (const line of ['restart web-1', 'start staging-1']) {
    await bot.say('operator', line);
    await bot.press('operator', 'Confirm');
    await bot.settle();
  }
  for (const order of ['34-12345', '34-12422']) bot.sim.power({ order, state: 'off' });
  await minutes(bot, 12);
  const open = (await bot.store.alerts.listOpen({ limit: 10 })).map(({ cause }) => cause);
  expect(open.sort()).toEqual(['34-12345', '34-12422']);
});

test('when a person with the right to operate says that off is right, the alert ends in every channel, in gray, audited', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  await subscribe(bot, { power: {} }, { channel: 'C0OTHER' });
  await bot.sweep();
  bot.sim.power({ order: '34-12346', state: 'off' });
  await minutes(bot, 6);
  expect(bot.alerts()).toHaveLength(2);
  const here = bot.findButton('Off is right', 'first').button;
  await bot.click('reader', here);
  expect(bot.story()).toContain('(only @reader) You may not decide on this alert: you need “operate”');
  expect(await bot.store.alerts.countOpen()).toBe(2);

  await bot.click('operator', here);
  await bot.delivered();
  expect(await bot.store.alerts.countOpen()).toBe(0);
  expect(bot.alerts().map(({ view }) => view.summary)).toEqual([
    expect.stringMatching(/^⚪ Off is right: db-1 · after/),
    expect.stringMatching(/^⚪ Off is right: db-1 · after/),
  ]);
  expect(bot.story()).toContain('said by @operator');
  const audit = (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kind === 'alert');
  expect(audit.map(({ actor, data }) => [actor, data])).toEqual([
    [people.operator, expect.objectContaining({ text: 'Off is right: db-1 is off' })],
  ]);
  await minutes(bot, 12);
  expect(await bot.store.alerts.countOpen()).toBe(0);

  // Switched on by hand, which contradicts "Off is right".
  bot.sim.power({ order: '34-12346', state: 'on' });
  await minutes(bot, 6);
  expect((await bot.store.alerts.listOpen({ limit: 10 })).map(({ finding }) => finding)).toEqual([
    expect.objectContaining({ title: 'db-1 is on' }),
    expect.objectContaining({ title: 'db-1 is on' }),
  ]);
});

test('a server that is usually off and was turned on by hand ends in gray when it is off again', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  bot.sim.power({ order: '34-12346', state: 'off' });
  await bot.sweep();
  bot.sim.power({ order: '34-12346', state: 'on' });
  await minutes(bot, 6);
  expect(first(bot)).toBe('🟡 db-1 is on');
  bot.sim.power({ order: '34-12346', state: 'off' });
  await minutes(bot, 6);
  expect(first(bot)).toMatch(/^⚪ db-1 is off again/);
});

test('an order whose status is not known stays in its alert', async () => {
  const bot = await openWatch({ 'order-status': {} });
  await bot.sweep();
  bot.sim.order({ order: '34-12346', status: 'blocked' });
  await bot.later(6 * minute);
  expect(first(bot)).toBe('🔴 db-1 is blocked');
  for (const match of ['GET /orders/', 'GET /orders/vps/'])
    bot.sim.fault({ kind: 'item', match, item: '34-12346', set: { status: 'under-review' } });
  await bot.later(16 * minute);
  expect(first(bot)).toBe('🔴 db-1 is blocked');
  bot.sim.clearFaults();
  bot.sim.order({ order: '34-12346', status: 'active' });
  await bot.later(6 * minute);
  expect(first(bot)).toMatch(/^✅ db-1 is active/);
});

const changedWords =
  '(only @operator) It changed before your click arrived, so nothing was accepted. Read the alert again, then decide.';

/** A record was added by hand to the zone that the channel watches. */
async function changedByHand() {
  const bot = await openWatch({ zone: { on: ['domain:example.org'] } });
  const add = (host: string) =>
    bot.sim.records({ domain: 'example.org', add: [{ host, type: 'A', value: '203.0.113.66' }] });
  await bot.sweep();
  add('evil');
  await bot.later(6 * minute);
  expect(first(bot)).toBe('🟡 example.org was changed by hand');
  return { bot, add, keep: () => bot.findButton('Keep', 'first').button };
}

test('confirming that records are right is refused when the records have changed since', async () => {
  const { bot, add, keep } = await changedByHand();
  await bot.later(2 * day);
  const shown = keep();
  add('worse');
  // The list is read by a person before the sweep reads it; the alert still shows one record.
  const [[zone, row] = []] = await bot.store.values.drifting('zone');
  if (zone === undefined || row === undefined) throw new Error('no drift');
  const observe = (value: typeof row.value) =>
    bot.store.values.write('zone', { [zone]: value }, bot.now(), new Map([[zone, row.changedAt]]));
  await observe({ ...row.value, seen: ['www A 203.0.113.99 ttl 300'] });
  await bot.click('operator', shown);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  expect(bot.transcript()).toContain(changedWords);
  await observe(row.value);
  await bot.click('operator', shown);
  await bot.delivered();
  expect(first(bot)).toMatch(/^⚪ Kept as changed: example.org · after/);
  await bot.later(6 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(1);
});

test('a click between the sweep that reads newer records and the edit of the message accepts nothing', async () => {
  const { bot, add, keep } = await changedByHand();
  const underOne = keep();
  add('worse');
  await bot.later(2 * day);
  // The edit has arrived by now; the person pressed the button before it did.
  await bot.click('operator', underOne);
  expect(bot.transcript()).toContain(changedWords);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  await bot.later(6 * minute);
  expect(first(bot)).toBe('🟡 example.org was changed by hand');

  await bot.click('operator', keep());
  await bot.delivered();
  expect(first(bot)).toMatch(/^⚪ Kept as changed: example.org · after/);
  await bot.later(6 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(0);
});

test('the menu of a list and of several alerts names what each shows, and an older one of it accepts nothing', async () => {
  const { bot, add } = await changedByHand();
  await bot.say('operator', 'alerts list');
  const inList = bot.findButton('Keep').button;
  add('worse');
  await bot.later(2 * day);
  await bot.click('operator', inList);
  expect(bot.transcript()).toContain(changedWords);
  expect(await bot.store.alerts.countOpen()).toBe(1);
});

test('the alert of a canceled server, and of a server that no channel watches now, ends with a true sentence', async () => {
  const bot = await offByHand();
  bot.sim.order({ order: '34-12346', status: 'canceled' });
  await minutes(bot, 6);
  expect(first(bot)).toMatch(/^⚪ db-1 was canceled · after/);

  const other = await openWatch({ power: { on: ['tag:web'] }, expiring: { on: ['tag:web'] } });
  await other.sweep();
  other.sim.power({ order: '34-12345', state: 'off' });
  await minutes(other, 6);
  other.sim.order({ order: '34-12345', tags: [] });
  await minutes(other, 12);
  expect(first(other)).toMatch(/^⚪ No longer watched here · after/);
});

test('an order that expires stays in its alert when it was not paid, and no amount is in it', async () => {
  const bot = await openWatch({ expiring: { on: ['order:34-12380'] } });
  const expires = new Date(bot.now() + 1.5 * day).toISOString();
  bot.sim.order({ order: '34-12380', status: 'noprolong', expiration_date: expires });
  await bot.sweep();
  expect(first(bot)).toBe('🔴 vpn-1 expires in 1 day');
  await bot.later(2 * day);
  expect(first(bot)).toBe('🔴 vpn-1 is expired');
  expect(bot.story()).not.toContain('€');
  bot.sim.renew({ order: '34-12380' });
  await bot.later(hour + minute);
  expect(first(bot)).toMatch(/^✅ vpn-1 is paid for \d+ days/);
});

test('an order that the balance pays raises no alert, one that it does not pay says so, and an expired one has one row', async () => {
  const bot = await openWatch({ expiring: { on: ['order:34-12380'] }, 'order-status': { on: ['order:34-12380'] } });
  bot.sim.order({
    order: '34-12380',
    autorenew: false,
    expiration_date: new Date(bot.now() + 1.5 * day).toISOString(),
  });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  bot.sim.balance({ balance: 0 });
  await bot.later(hour);
  expect(bot.story()).toMatch(/^## 🔴 vpn-1 is paid until tomorrow\n.* · whether it renews is not known\n/);
  await bot.later(2 * day);
  await bot.later(hour);
  const open = await bot.store.alerts.listOpen({ limit: 9 });
  expect(open.map(({ rule, severity }) => [rule, severity])).toEqual([['order-status', 'critical']]);
  expect(first(bot)).toMatch(/^⚪ vpn-1 is expired · after/);
});

test('a job that was reported as hanging and then failed is never reported in green', async () => {
  const bot = await openWatch({ job: { at: [10] } });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await bot.say('operator', 'restart web-2');
  await bot.press('operator', 'Confirm');
  await bot.until(async () => (await bot.store.steps.jobsSince(bot.now())).length === 1, 'the job to be known');
  await bot.later(12 * minute);
  expect(first(bot)).toBe('🟡 web-2: restart, job 812, has been running for 10 min');
  bot.sim.job({ pk: 812, state: 'error' });
  await bot.settle();
  await bot.later(minute);
  expect(first(bot)).toBe('🟡 web-2: restart, job 812, ended in error');
  await bot.later(day + hour);
  expect(first(bot)).toMatch(/^⚪ A day ago: web-2: restart, job 812, ended in error/);
});

test('an alert shows the last three attempts, also those that were typed, and a read with its button puts nobody on it', async () => {
  const bot = await offByHand();
  await bot.press('operator', 'Stats');
  await bot.settle();
  expect(bot.story()).not.toContain('is on it');
  for (let n = 0; n < 4; n++) {
    bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 });
    await bot.say('lead', 'start db-1');
    await bot.until(() => bot.story().includes(' Start: waiting, asked by @lead'), 'the request on the alert');
    await bot.press('lead', 'Confirm');
    await bot.settle();
    await bot.until(() => !bot.story().includes(' Start: waiting'), 'the end on the alert');
  }
  const [alert] = bot.alerts();
  const shown = JSON.stringify(alert?.view);
  expect(shown.match(/ Start failed: /g)).toHaveLength(3);
  expect(shown).not.toContain('is on it');
});
