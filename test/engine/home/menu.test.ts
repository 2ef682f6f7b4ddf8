import { expect, it } from 'vitest';
import { day, minute } from '../../../src/core/text/words.ts';
import type { View } from '../../../src/core/view/view.ts';
import { drawMessage } from '../../../src/slack/outbound/message.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { buttonsIn, readView } from '../../support/view-text.ts';

async function menuOf(bot: TestBot, user: string) {
  await bot.say(user, '');
  const view = bot.posted.at(-1)?.view;
  if (view === undefined) throw new Error('no menu');
  return view;
}

it('the menu has a search, four verbs and one select of all commands by area', async () => {
  const bot = await startTestBot();
  const view = await menuOf(bot, 'operator');
  const { blocks } = drawMessage(view);
  expect(blocks.length).toBeLessThanOrEqual(8);
  const menus = view.parts.filter(({ kind }) => kind === 'menu');
  expect(menus.map((part) => 'label' in part && part.label)).toEqual(['All commands, or ask for access']);
  expect(view.parts).toContainEqual({ kind: 'find', label: 'Find a server, domain, order or request' });
  const options = menus.slice(0, 1).flatMap(buttonsIn);
  expect(options.length).toBeGreaterThan(50);
  // The menu includes commands that everybody may use.
  expect(options.map(({ label }) => label)).toEqual(expect.arrayContaining(['help', 'notifications', 'why…']));
  expect(new Set(options.map(({ group }) => group)).size).toBeGreaterThan(8);
  const buttons = view.parts.filter(({ kind }) => kind === 'buttons').flatMap(buttonsIn);
  expect(buttons.map(({ label }) => label)).toEqual(['Restart…', 'Stats…', 'DNS', 'Alerts']);
  const select = JSON.stringify(blocks);
  expect(select).toContain('"option_groups"');
  expect(select).toContain('"type":"static_select"');
});

it('the menu begins with the servers that are off, where Home or the alerts have read all powers lately', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const words = async (user = 'operator') => readView(await menuOf(bot, user), bot.nameOf).split('\n')[0];
  expect(await words()).toBe('#ops · what do you need?');
  await bot.say('operator', 'dns domains');
  expect(await words()).toBe('#ops · 12 servers');
  await bot.replicas[0]?.engine.home(people.operator ?? '');
  expect(await words()).toMatch(/^#ops · 🔴 staging-1 and wiki-1 are off · 10 of 12 servers on · read /);
  await bot.savePolicy(
    ops,
    { ...usualPolicy(opsGroup), grants: [{ to: ['everyone'], can: ['read'], on: ['tag:web'] }] },
    1,
  );
  expect(await words('reader')).toMatch(/^#ops · 3 of 3 servers on · read /);
  bot.skip(15 * minute);
  expect(await words('reader')).toBe('#ops · 3 servers');
});

it('a server that is off as usual is no trouble in the menu, the list, the summary and on Home', async () => {
  const bot = await startTestBot({ replicas: 1 });
  bot.sim.power({ order: '34-12399', state: 'off' });
  const powers = { '34-12422': { usual: 'off', seen: 'off' }, '34-12399': { usual: 'on', seen: 'off' } };
  await bot.store.values.write('power', powers, bot.now(), new Map([['34-12399', bot.now()]]));
  const answers = async (line: string) => {
    const before = bot.posted.length;
    await bot.say('operator', line);
    return bot.posted.slice(before).map(({ view }) => readView(view, bot.nameOf));
  };
  const [list = ''] = await answers('list');
  for (const words of ['Name │ State │ Paid', 'staging-1 │ ⚪ off │', '[Start web-2]']) expect(list).toContain(words);
  expect(list).not.toContain('Start staging-1');
  expect(list.indexOf('web-2 │ 🔴 off')).toBeLessThan(list.indexOf('staging-1 │'));
  const [summary = ''] = await answers('status');
  for (const words of ['web-2: off', 'staging-1: paid 6 days']) expect(summary).toContain(words);
  const home = readView(
    (await bot.replicas[0]?.engine.home(people.operator ?? '')) ?? { summary: '', parts: [] },
    bot.nameOf,
  );
  for (const words of ['🔴 web-2 · ', '🟡 staging-1 · ']) expect(home).toContain(words);
  expect(readView(await menuOf(bot, 'operator'), bot.nameOf)).toContain('🔴 web-2 and wiki-1 are off · 9 of 12');
});

it('the menu offers only what the person may do', async () => {
  const bot = await startTestBot();
  const view = await menuOf(bot, 'reader');
  const labels = view.parts.flatMap(buttonsIn).map(({ label }) => label);
  expect(labels).toContain('list');
  expect(
    labels.filter((label) => /^(Money|Restart…|restart…|balance|Create a server…|reinstall…)$/.test(label)),
  ).toEqual([]);
});

it('the menu begins with the requests that wait for the person', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  const view = await menuOf(bot, 'lead');
  expect(view.parts.flatMap(buttonsIn).map(({ label }) => label)).toContain('Review Hard reset web-1…');
  expect(drawMessage(view).blocks.length).toBeLessThanOrEqual(8);
});

it('the menu keeps at most seven elements when something is scheduled and something waits', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), reads: 'public' } });
  for (const hours of [2, 3, 4, 5]) {
    await bot.say('lead', `restart web-${hours % 2 === 0 ? 1 : 2} in ${hours}h`);
    await bot.press('lead', 'Confirm');
    await bot.settle();
  }
  for (const name of ['web-1', 'web-2']) await bot.say('operator', `hard-reset ${name}`);
  await bot.settle();
  for (const user of ['lead', 'operator', 'reader', 'admin']) {
    const view = await menuOf(bot, user);
    const words = readView(view, bot.nameOf);
    expect(words).toContain('Next: ');
    expect(view.parts.length, words).toBeLessThanOrEqual(7);
    expect(drawMessage(view).blocks.length, words).toBeLessThanOrEqual(7);
  }
  expect(readView(await menuOf(bot, 'lead'), bot.nameOf)).toContain('[Review 2 waiting]');
});

const dev = 'C0DEV';
const habits = ['status web-1', 'net list', 'net list', 'net list', 'catalog', 'catalog', 'catalog', 'catalog'];
const secondRow = (view: View) => view.parts.filter(({ kind }) => kind === 'buttons').at(-1);
const labelsIn = (view: View) =>
  [secondRow(view)].flatMap((part) => (part === undefined ? [] : buttonsIn(part))).map(({ label }) => label);

it('the row of verbs in the menu has the commands that the channel used most in thirty days, filled up with the usual ones', async () => {
  const bot = await startTestBot();
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(['Restart…', 'Stats…', 'DNS', 'Alerts']);
  for (const line of habits) await bot.say('operator', line);
  for (let times = 0; times < 5; times += 1) await bot.say('operator', `rename web-1 to shop-${times}`);
  // The last count was a moment ago; the next is ten minutes later.
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(['Restart…', 'Stats…', 'DNS', 'Alerts']);
  bot.skip(11 * minute);
  const view = await menuOf(bot, 'operator');
  expect(labelsIn(view)).toEqual(['Rename an order…', 'Catalog for new servers', 'Private network', 'Restart…']);
  expect(drawMessage(view).blocks.length).toBeLessThanOrEqual(8);
  const buttons = [secondRow(view)].flatMap((part) => (part === undefined ? [] : buttonsIn(part)));
  expect(buttons.map(({ intent }) => intent)).toMatchObject([
    { do: 'form', line: 'rename' },
    { do: 'run', line: 'catalog' },
    { do: 'run', line: 'net list' },
    { do: 'form', line: 'restart' },
  ]);
  // Another person sees only allowed commands, another channel has other habits, and habits expire.
  expect(labelsIn(await menuOf(bot, 'reader'))).toEqual([
    'Catalog for new servers',
    'Private network',
    'Stats…',
    'DNS',
  ]);
  const known = bot.channels.get(ops);
  if (known === undefined) throw new Error('no channel');
  bot.channels.set(dev, { ...known, id: dev, name: 'dev' });
  await bot.savePolicy(dev, usualPolicy(opsGroup));
  await bot.say('operator', '', { place: { channel: dev, kind: 'channel' } });
  const elsewhere = bot.posted.at(-1)?.view;
  expect(elsewhere && labelsIn(elsewhere)).toEqual(['Restart…', 'Stats…', 'DNS', 'Alerts']);
  bot.skip(31 * day);
  expect(labelsIn(await menuOf(bot, 'operator'))).toEqual(['Restart…', 'Stats…', 'DNS', 'Alerts']);
});

it('the most used commands are counted by one statement per channel in ten minutes, which reads only the newest rows', async () => {
  const statements: string[] = [];
  const bot = await startTestBot({ replicas: 1, onQuery: ({ sql }) => statements.push(sql) });
  for (let times = 0; times < 3; times += 1) await menuOf(bot, 'operator');
  const counts = statements.filter((sql) => sql.includes('"newest"'));
  expect(counts).toHaveLength(1);
  expect(counts[0]).toMatch(/"channel" = .* order by "seq" desc limit /);
});

it('restart, DNS, undo, approve and alerts are at most two steps from the menu, and help has at most 120 words', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  const menu = await menuOf(bot, 'lead');
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
    ...['Restart…', 'Stats…', 'DNS', 'Alerts'],
    'All commands, or ask for access',
  ]);
  const labels = menu.parts.flatMap(buttonsIn).map(({ label }) => label);
  expect(labels).toEqual(
    expect.arrayContaining(['Restart…', 'DNS', 'Alerts', 'Review Hard reset web-1…', 'dns undo…']),
  );
  await bot.say('operator', 'help');
  const help = bot.posted.at(-1)?.view;
  if (help === undefined) throw new Error('no help');
  const text = readView(help, bot.nameOf);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(120);
  expect(text).toContain('[All commands by area ▾ [Servers]');
  expect(text.match(/^\/host .*$/gm)).toHaveLength(6);
});

it('old names and commands behind a button are in no menu and no help, and can be typed', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const labels = (await menuOf(bot, 'operator')).parts.flatMap(buttonsIn).map(({ label }) => label.replace('…', ''));
  for (const gone of ['jobs', 'invoices', 'plans', 'tag add', 'network', 'stop-request', 'favorites', 'alerts rules'])
    expect(labels).not.toContain(gone);
  await bot.say('operator', 'jobs');
  expect(readView(bot.posted.at(-1)?.view ?? { summary: '', parts: [] }, bot.nameOf)).toContain(
    '/host jobs is /host requests running.',
  );
});
