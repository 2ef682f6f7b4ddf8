import { expect } from 'vitest';
import type { View } from '../../../src/core/view/view.ts';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';

// A text that names a request links its card, if Slack gives the link.

const card = (ts: string) => `https://acme.slack.com/archives/${ops}/p${ts.replace('.', '')}`;

/** Links of a view, as `text → address`. */
function linksIn(view: unknown): string[] {
  if (Array.isArray(view)) return view.flatMap(linksIn);
  if (typeof view !== 'object' || view === null) return [];
  if ('link' in view && 'text' in view) return [`${String(view.text)} → ${String(view.link)}`];
  return Object.values(view).flatMap(linksIn);
}

const cardOf = (bot: TestBot, title: string) =>
  bot.posted.find(({ key, view }) => key.startsWith('card:') && JSON.stringify(view).includes(title))?.ts ?? '';
const homeOf = (bot: TestBot, user: string): Promise<View> =>
  bot.replicas[0]?.engine.home(people[user] ?? user) ?? Promise.reject(new Error('no replica'));
const lastSeenBy = (bot: TestBot, user: string) => bot.posted.findLast(({ onlyFor }) => onlyFor === people[user])?.view;

async function asked(lines: readonly string[]) {
  const bot = await startTestBot();
  for (const line of lines) await bot.say('operator', line);
  await bot.settle();
  return bot;
}

test('Home links the cards of the requests that wait for the person, and of their last requests', async () => {
  const bot = await asked(['restart web-1', 'hard-reset web-2']);
  const links = [
    `Restart web-1 → ${card(cardOf(bot, 'Restart web-1'))}`,
    `Hard reset web-2 → ${card(cardOf(bot, 'Hard reset web-2'))}`,
  ];
  expect(linksIn(await homeOf(bot, 'operator'))).toEqual(links);
  expect(linksIn(await homeOf(bot, 'lead'))).toEqual(links.slice(1));
});

test('a request whose card was deleted, or that Slack gives no link for in time, is named without a link', async () => {
  const bot = await asked(['restart web-1']);
  bot.deleted.add(cardOf(bot, 'Restart web-1'));
  const home = await homeOf(bot, 'operator');
  expect(linksIn(home)).toEqual([]);
  expect(JSON.stringify(home)).toContain('{"bold":"Restart web-1"}');
  bot.deleted.clear();
  for (const permalink of [() => new Promise(() => {}), () => Promise.reject(new Error('Slack is away'))]) {
    Object.assign(bot.directory, { permalink });
    expect(linksIn(await homeOf(bot, 'operator'))).toEqual([]);
  }
});

test('the answers of status, requests and audit link the cards of requests', async () => {
  const bot = await asked(['restart web-1']);
  const address = card(cardOf(bot, 'Restart web-1'));
  const [{ id } = { id: '' }] = await bot.store.operations.list({ limit: 1 });
  for (const [line = '', named] of [
    ['status web-1', 'Restart web-1'],
    ['requests', 'Restart web-1'],
    ['audit', id],
  ]) {
    await bot.say('operator', line);
    expect(linksIn(lastSeenBy(bot, 'operator')?.parts), line).toEqual([`${named} → ${address}`]);
  }
});

test('the offer of the same waiting request, and the dialog of a request, link its card', async () => {
  const bot = await asked(['restart web-1']);
  const address = card(cardOf(bot, 'Restart web-1'));
  await bot.say('lead', 'restart web-1');
  expect(linksIn(lastSeenBy(bot, 'lead')?.parts)).toEqual([`Restart web-1 → ${address}`]);
  const dialog = await bot.open('lead', { button: 'Open it' });
  expect(linksIn(dialog)).toEqual([`Open the request → ${address}`]);
});

test('a direct message links the card of the request that was made in a channel', async ({ bot }) => {
  const channel = `D${people.operator}`;
  await bot.say('operator', 'restart web-1', { place: { channel, kind: 'dm' } });
  const told = bot.posted.findLast((message) => message.channel === channel);
  expect(linksIn(told?.view.parts)).toEqual([`Restart web-1 → ${card(cardOf(bot, 'Restart web-1'))}`]);
});

test('the message to the people who can approve links the card', async () => {
  const bot = await asked(['hard-reset web-2']);
  await bot.pass(11 * 60_000);
  const sent = () => bot.posted.find(({ key }) => key.startsWith('unanswered:'));
  await bot.until(() => sent() !== undefined, 'the message');
  expect(linksIn(sent()?.view.parts)).toEqual([`Hard reset web-2 → ${card(cardOf(bot, 'Hard reset web-2'))}`]);
});
