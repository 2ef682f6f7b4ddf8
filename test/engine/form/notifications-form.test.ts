import { expect } from 'vitest';
import { checkView } from '../../../sandbox/slack/validate/view.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { minute } from '../../../src/core/text/words.ts';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import { adminsToNotify, notificationsOf, setNotifications } from '../../../src/engine/access/notifications.ts';
import { drawForm } from '../../../src/slack/outbound/modals.ts';
import { createKeyvAdapter } from '../../../src/store/keyv.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { formOf, startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { buttonsIn, mentionsIn } from '../../support/bot/view-text.ts';
import { fillIn, formIn, idOf, messagesOf, pressAndSettle, sayAndSettle, wordsOf } from '../told.ts';

/** The dialog on Home in which a person chooses what notifies them. */

const { reader, lead, admin } = people;

function approvedBy(...by: readonly (string | undefined)[]): Policy {
  const rule = { approve: 1, by: by.map((name) => `user:${name}` as const), typed: false };
  return { ...usualPolicy(opsGroup), rules: { dangerous: rule } };
}

/** The dialog behind the button on Home. */
async function dialogOf(bot: TestBot, user: string): Promise<Form> {
  const home = await bot.replicas[0]?.engine.home(idOf(user));
  const button = home?.parts.flatMap(buttonsIn).find(({ label }) => label === 'Notifications…');
  if (button === undefined) throw new Error(`no button on Home of ${user}`);
  return formIn(await bot.open(user, { intent: button.intent }, { channel: '', kind: 'home' }));
}

const choose = async (bot: TestBot, user: string, values: FormValues) =>
  bot.submit(user, await dialogOf(bot, user), { ends: 'usual', ...values });

const sentTo = (bot: TestBot, kind: string) => messagesOf(bot, kind).map(({ channel }) => bot.nameOf(channel));

async function unanswered(bot: TestBot): Promise<void> {
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  await bot.pass(11 * minute);
  await bot.until(
    async () => (await bot.store.audit.list({ kind: 'approvers_notified', limit: 9 })).length > 0,
    'the approvers to be notified',
  );
  await bot.settle();
}

test('the dialog offers only the notifications that the person can get: approvals to approvers, requests for access to admins', async () => {
  const bot = await startTestBot({ policy: approvedBy(lead) });
  const offered = async (user: string) =>
    (await dialogOf(bot, user)).fields.map((field) => [
      field.name,
      'options' in field ? field.options.map(({ value }) => value) : [],
      'initial' in field ? field.initial : undefined,
    ]);
  const ends = ['ends', ['usual', 'trouble', 'never'], 'usual'];
  expect(await offered('reader')).toEqual([ends]);
  const reminders = ['reminders', ['direct', 'thread', 'none'], 'direct'];
  const quiet = ['quiet', [], undefined];
  expect(await offered('lead')).toEqual([['direct', ['approvals'], ['approvals']], reminders, quiet, ends]);
  const seen = await offered('admin');
  expect(seen).toEqual([['direct', ['approvals', 'access'], ['approvals', 'access']], reminders, quiet, ends]);
  const drawn = drawForm(await dialogOf(bot, 'admin'));
  expect(checkView(drawn, 'modal', () => false)).toBeUndefined();
  // No text is too long for Slack.
  expect(JSON.stringify(drawn)).not.toContain('…"');
});

test('an approver who turned off direct messages gets none about unanswered requests, also after a restart', async () => {
  const bot = await startTestBot({ policy: approvedBy(reader, lead) });
  expect(await choose(bot, 'reader', { direct: [] })).toEqual({ kind: 'accepted' });
  await bot.restart();
  expect((await dialogOf(bot, 'reader')).fields[0]).toMatchObject({ name: 'direct', initial: [] });
  await unanswered(bot);
  expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  const form = await bot.open('lead', { button: 'Notifications…' });
  expect(form).toMatchObject({ title: 'Notifications', submit: 'Save' });
});

test('an admin who turned off requests for access gets none; if all turned them off, all do', async ({ bot }) => {
  const { store } = bot;
  const admins = [admin ?? '', lead ?? ''];
  const sent = () => adminsToNotify({ store, settings: { admins } });
  expect(await sent()).toEqual(admins);
  await choose(bot, 'admin', { direct: ['approvals'] });
  expect(await sent()).toEqual([lead]);
  await setNotifications({ store }, lead ?? '', { access: false });
  expect(await sent()).toEqual(admins);
  await bot.say('reader', 'restart web-1');
  await pressAndSettle(bot, 'reader', 'Ask for access');
  // The only admin of this bot.
  expect(sentTo(bot, 'access')).toEqual(['admin']);
  expect(bot.story()).toContain('Your request was sent to @admin.');
});

test.each([
  ['usual', 'done', ['operator']],
  ['trouble', 'done', []],
  ['never', 'done', []],
  ['trouble', 'declined', ['operator']],
  ['never', 'declined', []],
] as const)('with %s, the thread of a request that another ended as %s mentions %j', async (ends, end, mentioned) => {
  const bot = await startTestBot();
  await choose(bot, 'operator', { direct: ['approvals'], ends });
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  if (end === 'done') await pressAndSettle(bot, 'lead', 'Approve');
  else await fillIn(bot, 'lead', 'Decline…', { words: 'not today' });
  const reply = messagesOf(bot, 'end')[0]?.view;
  expect(mentionsIn(reply?.parts).filter((person) => person === people.operator)).toHaveLength(mentioned.length);
  expect(wordsOf(bot, reply)).toMatch(/web-1/);
});

test('only offered choices are saved, an unknown value changes nothing, and the choice of an older version is kept', async () => {
  const bot = await startTestBot({ policy: approvedBy(lead) });
  await choose(bot, 'reader', { direct: ['approvals', 'access', 'everything'], ends: 'trouble' });
  await choose(bot, 'reader', { direct: 'x', ends: 'sometimes' });
  expect(await notificationsOf(bot, reader ?? '')).toEqual({ isOn: true, access: true, ends: 'trouble', quiet: null });
  // As the previous version stored it.
  await createKeyvAdapter(bot.store, 'notifications').set(lead ?? '', '{"isOn":false}');
  expect(await notificationsOf(bot, lead ?? '')).toEqual({ isOn: false, access: true, ends: 'usual', quiet: null });
});

test('the typed line opens the same dialog, and answers with its button where Slack opens no dialog', async () => {
  const bot = await startTestBot({ policy: approvedBy(lead) });
  const place = { channel: ops, kind: 'channel' } as const;
  const ask = { kind: 'line', line: 'notifications' } as const;
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  const accepted = replica.engine.accept({ id: 'typed-1', actor: lead ?? '', place, at: bot.now(), ask }, 'possible');
  const typed = await formOf(accepted);
  if (!('form' in typed)) throw new Error('no dialog');
  const { id: _, ...same } = await dialogOf(bot, 'lead');
  expect(typed.form).toMatchObject(same);
  await bot.submit('lead', typed.form, { direct: [], ends: 'never' });
  expect(await dialogOf(bot, 'lead')).toMatchObject({
    fields: [{ initial: [] }, { initial: 'none' }, { name: 'quiet' }, { initial: 'never' }],
  });
  await bot.mention('lead', 'notifications', { thread: '7.0' });
  expect(bot.posted.at(-1)).toMatchObject({ onlyFor: lead, threadTs: '7.0' });
  await bot.open('lead', { button: 'Notifications…' });
});
