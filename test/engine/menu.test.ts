import { expect, it } from 'vitest';
import { drawMessage } from '../../src/slack/outbound/message.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';
import { buttonsIn } from '../support/view-text.ts';

async function menuOf(bot: TestBot, user: string) {
  await bot.say(user, '');
  const view = bot.posted.at(-1)?.view;
  if (view === undefined) throw new Error('no menu');
  return view;
}

it('the menu has at most eight blocks: a few buttons and one select of all commands, by area', async () => {
  const bot = await startTestBot();
  const view = await menuOf(bot, 'operator');
  const { blocks } = drawMessage(view);
  expect(blocks.length).toBeLessThanOrEqual(8);
  const menus = view.parts.filter(({ kind }) => kind === 'menu');
  expect(menus.map((part) => 'label' in part && part.label)).toEqual(['All commands', 'Ask for access…']);
  expect(view.parts).toContainEqual({ kind: 'find', label: 'Find a server, domain, order or request' });
  const options = menus.slice(0, 1).flatMap(buttonsIn);
  expect(options.length).toBeGreaterThan(60);
  expect(new Set(options.map(({ group }) => group)).size).toBeGreaterThan(8);
  const buttons = view.parts.filter(({ kind }) => kind === 'buttons').flatMap(buttonsIn);
  expect(buttons.map(({ label }) => label)).toEqual([
    'Servers',
    'Domains',
    'Money',
    'Alerts',
    'Requests',
    'Restart…',
    'Change DNS…',
    'Stats…',
    'Create a server…',
  ]);
  const select = JSON.stringify(blocks);
  expect(select).toContain('"option_groups"');
  expect(select).toContain('"type":"static_select"');
});

it('offers only what the person may do', async () => {
  const bot = await startTestBot();
  const view = await menuOf(bot, 'reader');
  const labels = view.parts.flatMap(buttonsIn).map(({ label }) => label);
  expect(labels).toContain('Servers');
  expect(
    labels.filter((label) => /^(Money|Restart…|restart…|balance|Create a server…|reinstall…)$/.test(label)),
  ).toEqual([]);
});

it('begins with the requests that wait for the person', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  const view = await menuOf(bot, 'lead');
  expect(view.parts).toContainEqual({ kind: 'text', text: '⏳ 1 request waits for you.' });
  expect(view.parts.flatMap(buttonsIn).map(({ label }) => label)).toContain('Review Hard reset web-1…');
  expect(drawMessage(view).blocks.length).toBeLessThanOrEqual(8);
});
