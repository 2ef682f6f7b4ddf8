import { expect } from 'vitest';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { clickAndSettle, idOf, nextPage, policyOf, pressAndSettle } from '../told.ts';

// A person adds the bot to a channel without a policy, and the bot asks this person who should use it.

/** Delivers the event of Slack to one of the replicas. */
const added = (bot: TestBot, by: string, event = 'Ev1', replica = 0) =>
  bot.replicas[replica % bot.replicas.length]?.engine.changed({
    ...{ kind: 'channel', id: ops, change: 'bot_joined' },
    invitation: { by: people[by] ?? by, event },
  });

test('an admin who adds the bot is asked once, privately, who should use it; "Everyone may read" makes a card to confirm', async () => {
  const bot = await startTestBot({ policy: null });
  await added(bot, 'admin');
  await added(bot, 'admin', 'Ev1', 1);
  expect(bot.posted).toMatchObject([{ channel: ops, onlyFor: idOf('admin') }]);
  expect(bot.story()).toContain('Who should use Hostler in #ops?\n');
  expect(bot.story()).toContain('[Everyone may read] [Choose…] [Later]');
  await pressAndSettle(bot, 'admin', 'Everyone may read');
  expect(await policyOf(bot)).toBeUndefined();
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect((await policyOf(bot))?.grants).toEqual([{ to: ['everyone'], can: ['read'], on: ['all'] }]);
});

test('Choose… opens the dialog for the rights of the channel; Later replaces the question with the command for it', async () => {
  const bot = await startTestBot({ policy: null });
  await added(bot, 'admin');
  const form = await bot.open('admin', { button: 'Choose…' });
  expect(form).toMatchObject({ title: 'Give access', submit: 'Preview' });
  const values = { to: [idOf('reader')], can: ['read', 'operate'], on: ['tag:web'] };
  await bot.submit('admin', await nextPage(bot, 'admin', form, values), values);
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect((await policyOf(bot))?.grants).toEqual([
    { to: [`user:${idOf('reader')}`], can: ['read', 'operate'], on: ['tag:web'] },
  ]);

  const other = await startTestBot({ policy: null });
  await added(other, 'admin');
  await other.press('admin', 'Later');
  expect(other.posted).toHaveLength(1);
  expect(other.story()).not.toContain('Who should use Hostler');
  expect(other.story()).toContain('This channel has no policy, so nothing is allowed here.');
  expect(other.story()).toContain('[Add…]');
});

test('a person who is no admin learns who gives rights and asks for a right; only admins can use the buttons of an admin', async () => {
  const bot = await startTestBot({ policy: null });
  await added(bot, 'reader');
  expect(bot.posted).toMatchObject([{ channel: ops, onlyFor: idOf('reader') }]);
  expect(bot.story()).toContain("Hostler isn't set up in #ops yet. An admin gives rights.");
  expect(bot.story()).toContain('[Ask for access…');
  expect(bot.story()).not.toContain('[Everyone may read]');
  await bot.press('reader', 'See servers, domains, projects and DNS');
  const words = '@reader asks for access in #ops: read';
  await bot.until(() => bot.story(idOf('admin')).includes(words), words);
  const line = { label: '', intent: { do: 'run', line: 'access grant everyone read' } } as const;
  await clickAndSettle(bot, 'reader', line);
  expect(await bot.store.operations.list({ limit: 5 })).toEqual([]);
});

test('no question is posted where a policy exists, for a bot, or for a person unknown to Slack', async ({ bot }) => {
  await added(bot, 'admin');
  const empty = await startTestBot({ policy: null });
  empty.roster.set('U0OTHERBOT', { name: 'other', membership: 'bot' });
  await added(empty, 'U0OTHERBOT', 'Ev1');
  await added(empty, 'U0NOBODY', 'Ev2');
  await empty.replicas[0]?.engine.changed({ kind: 'channel', id: ops, change: 'bot_joined' });
  expect([...bot.posted, ...empty.posted]).toEqual([]);
  // Added again later, by somebody who can answer.
  await added(empty, 'admin', 'Ev3');
  expect(empty.posted).toHaveLength(1);
});
