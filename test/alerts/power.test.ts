import { expect, test } from 'vitest';
import { people } from '../support/bot/fake-slack.ts';
import { confirmed, day, hour, minute, minutes, offByHand, openWatch, subscribe, turn, type Watch } from './support.ts';

/** The alert about power lasts as long as its cause, also after attempts to end it. */

const first = (bot: Watch) => bot.alerts()[0]?.view.summary;

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
  await turn(bot, 'on');
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
  await confirmed(bot, 'stop db-1');
  await minutes(bot, 12);
  expect(bot.alerts()).toEqual([]);
  await turn(bot, 'off');
  expect(first(bot)).toBe('🔴 db-1 is off');
});

test('a server that a failed restart left off raises an alert, and so does one that was started here and went off again', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12345', 'order:34-12422'] } });
  await minutes(bot, 3);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  for (const line of ['restart web-1', 'start staging-1']) await confirmed(bot, line);
  for (const order of ['34-12345', '34-12422']) bot.sim.power({ order, state: 'off' });
  await minutes(bot, 12);
  const open = (await bot.store.alerts.listOpen({ limit: 10 })).map(({ cause }) => cause);
  expect(open.sort()).toEqual(['34-12345', '34-12422']);
});

test('when a person with the right to operate says that off is right, the alert ends in every channel, in gray, audited', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  await subscribe(bot, { power: {} }, { channel: 'C0OTHER' });
  await bot.sweep();
  await turn(bot, 'off');
  expect(bot.alerts()).toHaveLength(2);
  const here = bot.findButton('Off is right', 'first').button;
  await bot.click('reader', here);
  expect(bot.story()).toContain('(only @reader) You may not decide on this alert: you need “operate”');
  expect(await bot.store.alerts.countOpen()).toBe(2);
  await bot.click('operator', here);
  await bot.delivered();
  expect(await bot.store.alerts.countOpen()).toBe(0);
  for (const { view } of bot.alerts()) expect(view.summary).toMatch(/^⚪ Off is right: db-1 · after/);
  expect(bot.story()).toContain('said by @operator');
  const audit = (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kind === 'alert');
  expect(audit).toMatchObject([{ actor: people.operator, data: { text: 'Off is right: db-1 is off' } }]);
  await minutes(bot, 12);
  expect(await bot.store.alerts.countOpen()).toBe(0);

  // Switched on by hand, which contradicts "Off is right".
  await turn(bot, 'on');
  const again = (await bot.store.alerts.listOpen({ limit: 10 })).map(({ finding }) => finding);
  expect(again).toMatchObject([{ title: 'db-1 is on' }, { title: 'db-1 is on' }]);
});

test('a server that is usually off and was turned on by hand ends in gray when it is off again', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  bot.sim.power({ order: '34-12346', state: 'off' });
  await bot.sweep();
  await turn(bot, 'on');
  expect(first(bot)).toBe('🟡 db-1 is on');
  await turn(bot, 'off');
  expect(first(bot)).toMatch(/^⚪ db-1 is off again/);
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

test.each([
  ['restart db-1 in=10m', '/vps/{order_id}/restart/'],
  ['rescue db-1 on in=10m', '/vps/{order_id}/rescue_mode/'],
])('while %s takes the server down its alert waits for the end, also that of a job that hangs', async (line, path) => {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } });
  await bot.sweep();
  bot.sim.fault({ kind: 'nextJob', match: `POST ${path}`, end: 'hang', times: 1 });
  await confirmed(bot, line);
  await bot.later(10 * minute);
  await bot.until(async () => (await bot.store.steps.jobsSince(bot.now())).length === 1, 'the job to begin');
  await turn(bot, 'off', { n: 25 });
  expect(bot.alerts()).toEqual([]);
  await bot.later(2 * hour);
  await minutes(bot, 6);
  expect(first(bot)).toBe('🔴 db-1 is off');
});
