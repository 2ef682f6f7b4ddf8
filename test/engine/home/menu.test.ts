import { expect } from 'vitest';
import { day, minute } from '../../../src/core/text/words.ts';
import type { View } from '../../../src/core/view/view.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { granting, usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { answerTo, confirm, homeOf, requested, sayAndSettle, setChannel, wordsOf } from '../told.ts';

async function menuOf(bot: TestBot, user: string) {
  await bot.say(user, '');
  const view = bot.posted.at(-1)?.view;
  if (view === undefined) throw new Error('no menu');
  return view;
}

const usualVerbs = ['Restart…', 'Stats…', 'DNS', 'Alerts'];

test('the menu has one select of all commands by area, with those that everybody may use', async ({ bot }) => {
  const view = await menuOf(bot, 'operator');
  const options = view.parts.filter(({ kind }) => kind === 'menu').flatMap(buttonsIn);
  const labels = options.map(({ label }) => label);
  expect(labels.length).toBeGreaterThan(50);
  expect(labels.slice(0, 4)).toEqual(['list', 'status', 'stats…', 'start…']);
  const some = ['help', 'notifications', 'why…', 'reinstall…', 'balance', 'requests', 'dns undo…'];
  expect(labels).toEqual(expect.arrayContaining(some));
  expect(labels).not.toContain('access grant…');
  expect(new Set(options.map(({ group }) => group)).size).toBeGreaterThan(8);
  const drawn = JSON.stringify(drawMessage(view).blocks);
  for (const part of ['"option_groups"', '"type":"static_select"']) expect(drawn).toContain(part);
});

test('the menu begins with the servers that are off, where all powers have been read lately', async ({ bot }) => {
  const words = async (user = 'operator') => wordsOf(bot, await menuOf(bot, user)).split('\n')[0];
  expect(await words()).toBe('#ops · what do you need?');
  await bot.say('operator', 'dns domains');
  expect(await words()).toBe('#ops · 12 servers');
  await homeOf(bot, 'operator');
  expect(await words()).toMatch(/^#ops · 🔴 staging-1 and wiki-1 are off · 10 of 12 servers on · read /);
  const { grants } = granting({ everyone: 'read on tag:web' });
  await bot.savePolicy(ops, { ...usualPolicy(opsGroup), grants }, 1);
  expect(await words('reader')).toMatch(/^#ops · 3 of 3 servers on · read /);
  bot.skip(15 * minute);
  expect(await words('reader')).toBe('#ops · 3 servers');
});

test('a server that is off as usual is no trouble in the menu, the list, the summary and on Home', async ({ bot }) => {
  bot.sim.power({ order: '34-12399', state: 'off' });
  const powers = { '34-12422': { usual: 'off', seen: 'off' }, '34-12399': { usual: 'on', seen: 'off' } };
  await bot.store.values.write('power', powers, bot.now(), new Map([['34-12399', bot.now()]]));
  const list = await answerTo(bot, 'operator', 'list');
  for (const words of ['Name │ State │ Paid', 'staging-1 │ ⚪ off │', '[Start web-2]']) expect(list).toContain(words);
  expect(list).not.toContain('Start staging-1');
  expect(list.indexOf('web-2 │ 🔴 off')).toBeLessThan(list.indexOf('staging-1 │'));
  const summary = await answerTo(bot, 'operator', 'status');
  for (const words of ['web-2: off', 'staging-1: 6 days paid']) expect(summary).toContain(words);
  const home = await homeOf(bot, 'operator');
  for (const words of ['🔴 web-2 · ', '🟡 staging-1 · ']) expect(home).toContain(words);
  expect(wordsOf(bot, await menuOf(bot, 'operator'))).toContain('🔴 web-2 and wiki-1 are off · 9 of 12');
});

test('the menu keeps at most seven elements when something is scheduled and something waits', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), reads: 'public' } });
  for (const hours of [2, 3, 4, 5]) await confirm(bot, 'lead', `restart web-${hours % 2 === 0 ? 1 : 2} in ${hours}h`);
  for (const name of ['web-1', 'web-2']) await sayAndSettle(bot, 'operator', `hard-reset ${name}`);
  for (const user of ['lead', 'operator', 'reader', 'admin']) {
    const view = await menuOf(bot, user);
    const words = wordsOf(bot, view);
    expect(words).toContain('Next: ');
    expect(view.parts.length, words).toBeLessThanOrEqual(7);
    expect(drawMessage(view).blocks.length, words).toBeLessThanOrEqual(7);
  }
  expect(wordsOf(bot, await menuOf(bot, 'lead'))).toContain('[Review 2 waiting]');
});

const dev = 'C0DEV';
const habits = ['status web-1', 'net list', 'net list', 'net list', 'catalog', 'catalog', 'catalog', 'catalog'];
const verbsIn = (view: View) =>
  view.parts
    .filter(({ kind }) => kind === 'buttons')
    .slice(-1)
    .flatMap(buttonsIn);
const labelsIn = (view: View) => verbsIn(view).map(({ label }) => label);

test('the row of verbs in the menu has the commands that the channel used most in thirty days, filled up with the usual ones', async ({
  bot,
}) => {
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(usualVerbs);
  for (const line of habits) await bot.say('operator', line);
  for (let times = 0; times < 5; times += 1) await bot.say('operator', `rename web-1 to shop-${times}`);
  // The last count was a moment ago; the next is ten minutes later.
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(usualVerbs);
  bot.skip(11 * minute);
  const view = await menuOf(bot, 'operator');
  expect(labelsIn(view)).toEqual(['Rename an order…', 'Catalog for new servers', 'Private network', 'Restart…']);
  expect(drawMessage(view).blocks.length).toBeLessThanOrEqual(8);
  expect(verbsIn(view).map(({ intent }) => intent)).toMatchObject([
    { do: 'form', line: 'rename' },
    { do: 'run', line: 'catalog' },
    { do: 'run', line: 'net list' },
    { do: 'form', line: 'restart' },
  ]);
  // Another person sees only allowed commands, another channel has other habits, and habits expire.
  const labels = labelsIn(await menuOf(bot, 'reader'));
  expect(labels).toEqual(['Catalog for new servers', 'Private network', 'Stats…', 'DNS']);
  setChannel(bot, { name: 'dev' }, dev);
  await bot.savePolicy(dev, usualPolicy(opsGroup));
  await bot.say('operator', '', { place: { channel: dev, kind: 'channel' } });
  const elsewhere = bot.posted.at(-1)?.view;
  expect(elsewhere && labelsIn(elsewhere)).toEqual(usualVerbs);
  bot.skip(31 * day);
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(usualVerbs);
});

test('the most used commands are counted by one statement per channel in ten minutes, which reads only the newest rows', async () => {
  const statements: string[] = [];
  const bot = await startTestBot({ process: { onQuery: ({ sql }) => statements.push(sql) } });
  for (let times = 0; times < 3; times += 1) await menuOf(bot, 'operator');
  const counts = statements.filter((sql) => sql.startsWith('select * from "audit"'));
  expect(counts).toHaveLength(1);
  expect(counts[0]).toMatch(/"channel" = .* order by "seq" desc limit /);
});

test('restart, DNS, undo, approve and alerts are at most two steps from the menu, and help has at most 120 words', async () => {
  const bot = await requested('hard-reset web-1');
  const menu = await menuOf(bot, 'lead');
  expect(drawMessage(menu).blocks.length).toBeLessThanOrEqual(8);
  const elements = menu.parts.flatMap((part) =>
    part.kind === 'buttons'
      ? part.buttons.map(({ label }) => label)
      : part.kind === 'menu' || part.kind === 'find'
        ? [part.label]
        : [],
  );
  expect(elements).toEqual([
    'Review Hard reset web-1…',
    'Find a server, domain, order or request',
    ...usualVerbs,
    'All commands, or ask for access',
  ]);
  const text = await answerTo(bot, 'operator', 'help');
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(120);
  expect(text).toContain('[All commands by area ▾ [Servers]');
  expect(text.match(/^\/host .*$/gm)).toHaveLength(6);
});

test('old names and commands behind a button are in no menu and no help, and can be typed', async ({ bot }) => {
  const labels = (await menuOf(bot, 'operator')).parts.flatMap(buttonsIn).map(({ label }) => label.replace('…', ''));
  for (const gone of ['jobs', 'invoices', 'plans', 'tag add', 'network', 'stop-request', 'favorites', 'alerts rules'])
    expect(labels).not.toContain(gone);
  expect(await answerTo(bot, 'operator', 'jobs')).toContain('Took “jobs” as requests running.');
});
