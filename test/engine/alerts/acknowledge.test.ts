import { expect, test } from 'vitest';
import { hour, minute, openWatch, pressAndDeliver, type Watch } from '../../alerts/support.ts';
import { people } from '../../support/bot/fake-slack.ts';
import { answerTo, sayAndSettle, submitAndSettle } from '../told.ts';

/** A person is on an alert, and hands it over to another person. */

async function blocked(orders: readonly string[], settings: object = {}): Promise<Watch> {
  const bot = await openWatch({ 'order-status': { on: orders.map((order) => `order:${order}`) } }, { settings });
  for (const order of orders) bot.sim.order({ order, status: 'blocked' });
  await bot.sweep();
  return bot;
}

const blockedWeb2 = (settings: object = {}) => blocked(['34-12399'], settings);

const idOf = async (bot: Watch) => (await bot.store.alerts.listOpen({ limit: 1 }))[0]?.id ?? '';

const replies = (bot: Watch) =>
  bot
    .story()
    .split('\n')
    .filter((line) => line.startsWith('    ') && line.includes('on it'));

async function handOver(bot: Watch, from: string, to: string, id?: string): Promise<void> {
  await sayAndSettle(bot, from, `alerts hand-over ${id ?? (await idOf(bot))} @${to}`);
  await bot.delivered();
}

test('the message says who is on the alert, and the alert is open again when that time ends', async () => {
  const bot = await blockedWeb2({ acknowledgeMs: 2 * hour });
  await pressAndDeliver(bot, 'reader', "I'm on it");
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
  const { button } = bot.findButton("I'm on it");
  await bot.click('operator', button);
  await bot.click('lead', button);
  expect(bot.story()).toContain('(only @lead) @operator has been on it since ‹date›.');
  const audit = (await bot.store.audit.list({ limit: 50 })).map((row) => row.kind);
  expect(audit.filter((kind) => kind === 'alert')).toHaveLength(1);
  expect(audit).toContain('alert_refused');
});

test('the dialog asks only for a person; the message names both people, and the thread mentions the new person once', async () => {
  const bot = await blockedWeb2();
  expect(bot.story()).not.toContain('[Hand over…]');
  await pressAndDeliver(bot, 'operator', "I'm on it");
  expect(bot.story()).toContain('\n@operator is on it\n');
  expect(bot.story()).toContain('[Hand over…]');
  expect(bot.story()).not.toContain("[I'm on it]");
  const form = await bot.open('operator', { button: 'Hand over…' });
  expect('fields' in form && form.fields).toMatchObject([{ name: 'person', widget: 'people' }]);
  await submitAndSettle(bot, 'operator', form, { person: [people.lead ?? ''] });
  await bot.delivered();
  expect(bot.story()).toContain('\n@lead is on it, handed over by @operator\n');
  expect(replies(bot)).toEqual(['    @lead is on it, handed over by @operator.']);
  // Only the new person is mentioned: the other name is text.
  const reply = bot.alerts().find(({ key }) => key.includes(':handed:'));
  const mentioned = JSON.stringify(reply?.view).match(/U0[A-Z]+/g);
  expect(new Set(mentioned)).toEqual(new Set([people.lead]));
  await bot.later(hour);
  expect(replies(bot)).toHaveLength(1);
  const [row] = await bot.store.audit.list({ kind: 'alert', limit: 1 });
  expect(row).toMatchObject({ actor: people.operator, data: { to: people.lead } });
});

test('handing an alert over to yourself, or twice to the same person, mentions nobody', async () => {
  const bot = await blockedWeb2();
  await handOver(bot, 'operator', 'operator');
  expect(bot.story()).toContain('\n@operator is on it\n');
  expect(replies(bot)).toEqual([]);
  await handOver(bot, 'operator', 'lead');
  await handOver(bot, 'operator', 'lead');
  expect(bot.story()).toContain('@lead is on it already.');
  expect(replies(bot)).toHaveLength(1);
});

test('the new person’s time begins when the alert is handed over, and the alert is open again when it ends', async () => {
  const bot = await blockedWeb2({ acknowledgeMs: 2 * hour });
  await bot.press('operator', "I'm on it");
  await bot.later(90 * minute);
  await handOver(bot, 'operator', 'lead');
  await bot.later(hour);
  expect(bot.story()).toContain('\n@lead is on it, handed over by @operator\n');
  await bot.later(hour + minute);
  expect(bot.story()).toContain('    Still open: web-2 is blocked · @lead was on it until now');
  // A process of the previous version, which does not know these columns, may write the next person.
  expect(await bot.store.alerts.find(await idOf(bot))).toMatchObject({ state: 'open', sinceAt: null, handedBy: null });
  await pressAndDeliver(bot, 'reader', "I'm on it");
  expect(bot.story()).toContain('\n@reader is on it\n');
});

test('an alert can be handed over only to a person who is in the channel', async () => {
  const bot = await blockedWeb2();
  bot.absent.add(people.lead ?? '');
  await handOver(bot, 'operator', 'lead');
  expect(bot.story()).toContain(
    '(only @operator) @lead is not in this channel. Choose a person who is in this channel.',
  );
  bot.absent.clear();
  bot.roster.set('U0CI', { name: 'ci', membership: 'bot' });
  await handOver(bot, 'operator', 'ci');
  expect(bot.story()).toContain('@ci is a bot, and an alert is handed over to a person.');
  bot.roster.set('U0OLD', { name: 'old', membership: 'deactivated' });
  await handOver(bot, 'operator', 'old');
  expect(bot.story()).toContain('The account of @old is deactivated.');
  bot.roster.set('U0FOG', { name: 'fog', membership: 'unknown' });
  await handOver(bot, 'operator', 'fog');
  expect(bot.story()).toContain('Slack does not say whether @fog is in this channel.');
  expect((await bot.store.alerts.find(await idOf(bot)))?.state).toBe('open');
});

test('handing an alert over needs the right of its rule, and a resolved alert cannot be handed over', async () => {
  const bot = await openWatch({ balance: {}, 'order-status': { on: ['order:34-12399'] } });
  bot.sim.balance({ balance: 40 });
  await bot.sweep();
  const id = await idOf(bot);
  await handOver(bot, 'reader', 'lead', id);
  expect(bot.story()).toMatch(/\(only @reader\) There is no alert \S+ here\./);
  bot.sim.balance({ balance: 100_000 });
  await bot.later(16 * minute);
  await handOver(bot, 'operator', 'lead', id);
  expect(bot.story()).toContain('this alert is not open, so there is nothing to hand over.');
  expect(replies(bot)).toEqual([]);
});

test('Home, the list and the alert in full offer the same buttons and say who is on it', async () => {
  const bot = await blockedWeb2();
  const home = async () => {
    const parts = (await bot.replicas[0]?.engine.home(people.operator ?? ''))?.parts ?? [];
    return parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : [])).map(({ label }) => label);
  };
  expect(await home()).toContain("I'm on it");
  const id = await idOf(bot);
  await bot.say('operator', `alerts show ${id}`);
  expect(bot.story().split('\n').at(-1)).toBe("[Order] [I'm on it] [Open a ticket…]");
  await bot.press('operator', "I'm on it");
  expect(await home()).not.toContain("I'm on it");
  await bot.say('operator', 'alerts list');
  expect(bot.story()).toContain('@operator is on it until ‹date›');
  expect(await answerTo(bot, 'operator', `alerts show ${id}`)).toContain('[somebody is on it]');
  expect(bot.story().split('\n').at(-1)).toBe('[Order] [Hand over…] [Open a ticket…]');
});

test('the alerts of a message are handed over: one alone, which the thread names, and those that somebody is on together', async () => {
  const bot = await blocked(['34-12345', '34-12399']);
  const rows = () => bot.store.alerts.listOpen({ limit: 10 });
  const [first] = await rows();
  const together = `m:${first?.message ?? ''}`;
  await handOver(bot, 'operator', 'lead', together);
  expect(bot.story()).toContain('Nobody is on an open alert of this message, so there is nothing to hand over.');
  await handOver(bot, 'operator', 'lead', 'm:nothing');
  expect(bot.story()).toContain('There is no alert m:nothing here.');
  expect(bot.story()).not.toContain('[Hand over…]');

  const web2 = (await rows()).find(({ cause }) => cause.includes('34-12399'));
  await handOver(bot, 'operator', 'reader', web2?.id);
  expect(bot.story()).toContain('🔴 web-2 is blocked · since ‹date› · @reader is on it, handed over by @operator');
  expect(bot.story()).toContain("[I'm on it]");
  expect(replies(bot)).toEqual(['    web-2 is blocked: @reader is on it, handed over by @operator.']);
  await handOver(bot, 'operator', 'lead', together);
  expect((await rows()).map(({ state, byUser }) => [state, byUser]).toSorted()).toEqual([
    ['acknowledged', people.lead],
    ['open', null],
  ]);

  await pressAndDeliver(bot, 'operator', "I'm on it");
  const form = await bot.open('operator', { button: 'Hand over…' });
  expect('fields' in form && form.fields).toMatchObject([{ name: 'person', widget: 'people' }]);
  await submitAndSettle(bot, 'operator', form, { person: [people.reader ?? ''] });
  await bot.delivered();
  for (const name of ['web-1', 'web-2'])
    expect(bot.story()).toContain(`🔴 ${name} is blocked · since ‹date› · @reader is on it, handed over by @operator`);
  expect(replies(bot).slice(2)).toEqual(['    @reader is on it, handed over by @operator.']);
  expect((await rows()).map(({ byUser, handedBy }) => [byUser, handedBy])).toEqual(
    Array(2).fill([people.reader, people.operator]),
  );
  const [audited] = await bot.store.audit.list({ kind: 'alert', limit: 1 });
  expect(audited?.data).toMatchObject({ text: `handed over to @${people.reader}: 2 alerts`, to: people.reader });
});
