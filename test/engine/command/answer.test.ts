import { expect } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { requested, setChannel, wordsOf } from '../told.ts';

const publicReads: Policy = { ...usualPolicy(opsGroup), reads: 'public' };
const list = 'list wiki-1';

/** The channel's messages, and those that only one person sees. */
function said(bot: TestBot) {
  const shown = bot.posted.map(({ view, onlyFor, threadTs }) => {
    return { only: onlyFor === undefined ? undefined : bot.nameOf(onlyFor), threadTs, text: wordsOf(bot, view) };
  });
  return {
    forAll: shown.filter(({ only }) => only === undefined),
    forOne: shown.filter(({ only }) => only !== undefined),
  };
}

const audited = async (bot: TestBot) =>
  (await bot.store.audit.list({ limit: 20 })).map(({ kind, data }) => `${kind} ${(data as { text: string }).text}`);

test('a mention is answered in the thread of the message, and money only to the person', async ({ bot }) => {
  await bot.mention('operator', list);
  await bot.mention('operator', list, { thread: '7.0' });
  await bot.mention('operator', 'balance', { thread: '7.0' });
  const { forAll, forOne } = said(bot);
  expect(forAll.map(({ threadTs }) => threadTs)).toEqual([expect.stringMatching(/\.9$/), '7.0']);
  expect(forAll[0]?.text).toContain('wiki-1');
  expect(forAll[0]?.text).not.toContain('[Share here]');
  const text = expect.stringMatching(/^€ .*\[More ▾ \[Share here\] \[Refresh\]\]$/s);
  expect(forOne).toEqual([{ only: 'operator', threadTs: '7.0', text }]);
});

test('an answer is posted once, however often Share is clicked, and says who shared it', async () => {
  const bot = await requested(list);
  const { button, message } = bot.findButton('Share here');
  const place = bot.placeOfClick(message);
  await Promise.all([1, 2].map(() => bot.click('operator', button, { place })));
  await bot.click('operator', button, { place });
  const { forAll, forOne } = said(bot);
  expect(forAll).toHaveLength(1);
  expect(forAll[0]?.text).toMatch(/^· @operator shared \/host list wiki-1\nName │/);
  expect(forAll[0]?.text).not.toMatch(/\[Share here\]|\[Refresh\]/);
  expect(forOne.filter(({ text }) => text.startsWith('You shared this answer already.'))).toHaveLength(2);
  expect((await audited(bot)).filter((line) => line === 'shared list wiki-1')).toHaveLength(1);
});

test('a shared answer says so in its own message, and can be shared again after a refresh', async () => {
  const bot = await requested(list);
  await bot.press('operator', 'Share here');
  expect(said(bot).forOne).toHaveLength(1);
  expect(said(bot).forOne[0]?.text).toMatch(/· Shared with this channel\.\n\[More ▾ \[Refresh\]\]$/);
  await bot.press('operator', 'Refresh');
  expect(said(bot).forOne[0]?.text).toMatch(/\[More ▾ \[Share here\] \[Refresh\]\]$/);
  await bot.press('operator', 'Share here');
  expect(said(bot).forAll).toHaveLength(2);
});

test('an answer that could not be posted does not count as shared, and the next click retries', async () => {
  const bot = await requested(list);
  setChannel(bot, { hasBot: false });
  await bot.press('operator', 'Share here');
  expect(said(bot).forAll).toEqual([]);
  expect(said(bot).forOne.at(-1)?.text).toMatch(
    /^The bot is not in this channel, so it cannot post what you want to share/,
  );
  expect((await audited(bot)).join()).not.toContain('shared');
  setChannel(bot, { hasBot: true });
  await bot.press('operator', 'Share here', { first: true });
  expect(said(bot).forAll).toHaveLength(1);
});

test('Refresh replaces the answer, or posts a new one that says so when Slack no longer replaces the old one', async () => {
  const bot = await requested('status wiki-1');
  expect(said(bot).forOne[0]?.text).toContain('[🔴 off]');
  bot.sim.power({ order: '34-12318', state: 'on' });
  await bot.press('operator', 'Refresh');
  expect(said(bot).forOne).toHaveLength(1);
  expect(said(bot).forOne[0]?.text).toContain('[🟢 on]');
  bot.sim.power({ order: '34-12318', state: 'off' });
  bot.neverReplace();
  await bot.press('operator', 'Refresh');
  const [first, second, ...more] = said(bot).forOne;
  expect(more).toEqual([]);
  expect(first?.text).toContain('[🟢 on]');
  expect(second?.text).toContain('[🔴 off]');
  expect(second?.text).toContain('The message before this one is too old to be refreshed, so this is a new one.');
});

test('Refresh checks the right again, and a person who lost it reads nothing new', async () => {
  const bot = await requested(list);
  await bot.savePolicy(ops, { ...usualPolicy(opsGroup), grants: [] }, 1);
  for (const label of ['Refresh', 'Share here']) await bot.press('operator', label, { first: true });
  expect(said(bot).forAll).toEqual([]);
  const [, ...later] = said(bot).forOne.map(({ text }) => text);
  expect(later).toEqual([expect.stringContaining('You may not'), expect.stringContaining('You may not')]);
});

test('with reads: public the channel sees the answer and who asked, and money stays private until it is shared', async () => {
  const bot = await requested(list, { policy: publicReads });
  await bot.say('operator', 'balance');
  await bot.say('operator', 'audit');
  const { forAll, forOne } = said(bot);
  expect(forAll).toHaveLength(1);
  expect(forAll[0]?.text).toMatch(/^· @operator asked for \/host list wiki-1\n[\s\S]*\[More ▾ \[Refresh\]\]$/);
  expect(forOne.map(({ text }) => /\[Share here\]/.test(text))).toEqual([true, false]);
  bot.sim.power({ order: '34-12318', state: 'on' });
  await bot.press('lead', 'Refresh', { first: true });
  expect(said(bot).forAll).toHaveLength(1);
  expect(said(bot).forAll[0]?.text).toMatch(/@lead asked for[\s\S]*🟢 on/);
});

test('one person’s refresh does not replace a public answer where reads are private now', async () => {
  const bot = await requested(list, { policy: publicReads });
  await bot.savePolicy(ops, usualPolicy(opsGroup), 1);
  await bot.press('reader', 'Refresh');
  const { forAll, forOne } = said(bot);
  expect(forAll).toHaveLength(1);
  expect(forAll[0]?.text).toContain('@operator asked for');
  expect(forOne.map(({ only }) => only)).toEqual(['reader']);
});

test('--share is kept by a form, and is refused in a direct message', async ({ bot }) => {
  const form = await bot.open('operator', { line: 'order --share' });
  await bot.submit('operator', form, { order: ['34-12345'] });
  expect(said(bot).forAll[0]?.text).toMatch(/^· @operator shared \/host order web-1/);
  const directly = { place: { channel: `D${people.operator}`, kind: 'dm' } } as const;
  await bot.say('operator', 'list --share', directly);
  expect(said(bot).forOne.at(-1)?.text).toMatch(/^This is a direct message: there is nobody to share it with\./);
  await bot.say('operator', list, directly);
  expect(said(bot).forOne.at(-1)?.text).toMatch(/\n\[More ▾ \[Refresh\]\]$/);
});

test('every read that shows an amount of money is private until it is shared', async () => {
  const bot = await startTestBot({ policy: publicReads });
  for (const command of await loadCommands()) {
    if (command.kind !== 'query') continue;
    for (const line of command.examples) await bot.say('operator', line);
  }
  const { forAll, forOne } = said(bot);
  expect(forAll.filter(({ text }) => text.includes('€'))).toEqual([]);
  expect(forAll.length).toBeGreaterThan(20);
  expect(forOne.filter(({ text }) => text.includes('€')).length).toBeGreaterThan(12);
});
