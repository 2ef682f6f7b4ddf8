import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { day } from '../../../src/core/text/words.ts';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import {
  answerTo,
  confirm,
  formIn,
  grantsOf,
  homeOf,
  idOf,
  nextPage,
  pressAndSettle,
  sayAndPress,
  suggested,
} from '../told.ts';

// A person who was refused asks the admins for access; queries about rights are answered in words.

const policy = granting({ [`group:${opsGroup}`]: 'read operate dns', everyone: 'read on tag:web' });
/** The channel and the direct messages. */
const said = (bot: TestBot) => [ops, idOf('admin'), idOf('reader')].map((channel) => bot.story(channel)).join('\n');

/** The dialog of a grant for the request that waits, and the patterns that it offers. */
async function offeredOn(bot: TestBot) {
  const form = formIn(await bot.open('admin', { button: 'Grant…' }, { channel: 'D0ADMIN', kind: 'dm' }));
  const on = form.fields.find(({ name }) => name === 'on');
  return { form, patterns: on?.widget === 'search' ? (on.initial ?? []).map(({ value }) => value) : [] };
}

/** Fills in the form of a grant, and requests it. */
async function grant(bot: TestBot, form: Form, values: FormValues): Promise<void> {
  await bot.submit('admin', await nextPage(bot, 'admin', form, values), values);
}

test('a person asks for access with one button, an admin grants it in a dialog that is filled in, and the person is notified', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('reader', 'restart web-1');
  expect(said(bot)).toContain('[Ask for access]');
  await pressAndSettle(bot, 'reader', 'Ask for access');
  await bot.until(() => said(bot).includes('asks for access'), 'the message to the admin');
  const asked = said(bot);
  expect(asked).toContain('Your request was sent to @admin. You will get a direct message when it is decided.');
  expect(asked).toContain(
    '@reader asks for access in #ops: operate (start, stop, restart and rescue servers), for /host restart web-1.',
  );
  const direct = { channel: 'D0ADMIN', kind: 'dm' } as const;
  const form = formIn(await bot.open('admin', { button: 'Grant…' }, direct));
  expect(form.fields).toMatchObject([
    { name: 'to', initial: [idOf('reader')] },
    { name: 'to.groups' },
    { name: 'to.everyone' },
    { name: 'can', initial: ['operate'] },
    { name: 'on', initial: [{ value: 'order:34-12345' }] },
    { name: '@when' },
    { name: '@reason' },
  ]);
  await grant(bot, form, { to: [idOf('reader')], can: ['operate'], on: ['order:34-12345'] });
  // The channel has the card, but not the admin.
  expect(bot.posted.at(-1)).toMatchObject({ channel: direct.channel, onlyFor: idOf('admin') });
  expect(bot.story(direct.channel)).toMatch(/Requested in #ops: Give access here\. .*\n\[Show it\]$/);
  await pressAndSettle(bot, 'admin', 'Confirm');
  await bot.until(() => said(bot).includes('✅ Granted by @admin.'), 'the end');
  const told = bot.posted.filter(({ view }) => JSON.stringify(view).includes('Your request for access in'));
  expect(told).toHaveLength(1);
  expect(bot.hasButton('Grant…')).toBe(false);
  const kinds = (await bot.store.audit.list({ limit: 50 })).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['access_asked', 'access_granted']));
});

test('only an admin can decline, with a reason; the person cannot ask again that day; few requests a day are sent', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('reader', 'restart web-1');
  await pressAndSettle(bot, 'reader', 'Ask for access');
  expect(await bot.open('operator', { button: 'Grant…' })).not.toHaveProperty('fields');
  const form = await bot.open('admin', { button: 'Decline…' });
  expect(await bot.submit('operator', form, { words: 'mine' })).toMatchObject({ kind: 'errors' });
  await bot.submit('admin', form, { words: 'Ask the ops team.' });
  await bot.until(() => said(bot).includes('🔴 Declined by @admin: Ask the ops team.'), 'the end');
  await sayAndPress(bot, 'reader', 'restart web-1', 'Ask for access');
  expect(said(bot)).toContain('This request was declined today.');
  for (const line of [
    'stop web-1',
    'dns add example.com x A 192.0.2.1',
    'rename web-1 w',
    'cancel web-1',
    'balance',
    'password web-1',
  ]) {
    await sayAndPress(bot, 'reader', line, 'Ask for access');
  }
  expect(said(bot)).toContain('That is more than 5 requests for access in a day.');
  const asked = (await bot.store.audit.list({ limit: 100 })).filter(({ kind }) => kind === 'access_asked');
  expect(asked).toHaveLength(5);
});

test('asking for a right that was granted meanwhile says so; an admin gets the dialog; an undecided request expires', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('reader', 'restart web-1');
  const { grants } = granting({ everyone: 'operate' });
  await bot.savePolicy(ops, { ...policy, grants: [...policy.grants, ...grants] }, 1);
  await bot.press('reader', 'Ask for access');
  expect(said(bot)).toContain('You may do this by now.');
  await bot.say('admin', 'dns add example.com x A 192.0.2.1');
  expect(await bot.open('admin', { button: 'Give access…' })).toMatchObject({ title: 'Give access' });
  await bot.say('reader', 'dns add example.com x A 192.0.2.1');
  await pressAndSettle(bot, 'reader', 'Ask for access');
  bot.skip(15 * day);
  await bot.replicas[0]?.sweep();
  await bot.until(() => said(bot).includes('Nobody decided within 14 days.'), 'the end');
  expect(bot.hasButton('Grant…')).toBe(false);
});

test('the menu and a direct message offer to ask for the missing rights', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('reader', '');
  const menu = said(bot);
  expect(menu).toContain('[All commands, or ask for access');
  expect(menu).toContain('Start, stop, restart and rescue servers');
  expect(menu).not.toContain('See servers, domains');
  const direct = { channel: 'D0READER', kind: 'dm' } as const;
  await bot.say('reader', 'restart web-1', { place: direct });
  await bot.until(() => bot.story(direct.channel).includes('[Ask for access in #ops]'), 'the button');
  await bot.press('reader', 'Ask for access in #ops');
  await bot.until(() => said(bot).includes('@reader asks for access in #ops: operate'), 'the message to the admin');
});

test('where Slack does not say whether a person is in the channel of a button, the person reads that', async () => {
  const bot = await startTestBot({ policy });
  Object.assign(bot.directory, { isInChannel: () => Promise.reject(new Error('ratelimited')) });
  const place = { channel: 'D0READER', kind: 'dm' } as const;
  const words = 'Slack did not say who is in which channel, so it is not known whether you may use this button.';
  await bot.click('reader', { label: '', intent: { do: 'ask-access', line: 'restart', in: ops } }, { place });
  expect(bot.story('D0READER')).toContain(words);
  const opened = await bot.open('reader', { intent: { do: 'form', line: 'restart', in: ops } }, place);
  expect(JSON.stringify(opened)).toContain(words);
});

test('a button that names a channel without the person in it requests nothing', async () => {
  const bot = await startTestBot({ policy });
  await bot.savePolicy('C0SECRET', policy);
  bot.unjoined.add('C0SECRET');
  const intent = { do: 'ask-access', line: 'restart', in: 'C0SECRET' } as const;
  await bot.click('reader', { label: '', intent }, { place: { channel: 'D0READER', kind: 'dm' } });
  await bot.until(() => bot.posted.length > 0, 'an answer');
  expect(JSON.stringify(bot.posted)).not.toContain('asks for access');
});

test.each([
  ['Shop all', 'project:Shop all'],
  ['Shop tag:web', 'project:Shop tag:web'],
])('a person who asks for access to a project called %s is offered it, and nothing more', async (name, pattern) => {
  const own = { to: [`user:${idOf('lead')}`], can: ['read', 'organize'], on: ['project:Internal'] };
  const bot = await startTestBot({
    policy: policySchema.parse({ grants: [own], rules: { routine: 'confirm' } }),
  });
  await confirm(bot, 'lead', `project edit Internal name="${name}"`);
  // The new name took away the right.
  await bot.say('lead', `project show "${name}"`);
  await pressAndSettle(bot, 'lead', 'Ask for access');
  const { form, patterns } = await offeredOn(bot);
  // The admin finds the project in the search.
  const found = (await suggested(bot, 'admin', form, 'access-targets', name)).map(({ value }) => value);
  expect([patterns, found]).toEqual([[pattern], [pattern]]);
  await grant(bot, form, { to: [idOf('lead')], can: ['read'], on: [pattern] });
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect(await grantsOf(bot)).toEqual([own, { to: [`user:${idOf('lead')}`], can: ['read'], on: [pattern] }]);
});

test('a person who asks for access to a project called * is offered this project, and never the sign that means everything', async () => {
  const own = { to: [`user:${idOf('lead')}`], can: ['read'], on: ['project:Internal'] };
  const bot = await startTestBot({ policy: policySchema.parse({ grants: [own] }) });
  // The bot makes no such name; somebody made it at the provider.
  const headers = { authorization: `Api-Key ${bot.provider.key}`, 'content-type': 'application/json' };
  const created = await fetch(`${bot.provider.url}/project/`, { method: 'POST', headers, body: '{"name":"*"}' });
  expect(created.ok).toBe(true);
  await bot.say('lead', 'project show "*"');
  await pressAndSettle(bot, 'lead', 'Ask for access');
  expect((await offeredOn(bot)).patterns).toEqual(['project:\\*']);
});

test.each([
  ['reader', 'list tag:web', ['tag:web']],
  ['reader', 'list project:Shop tag:*', ['project:Shop', 'tag:\\*']],
  ['lead', 'freeze tag:staging "moving"', ['tag:staging']],
])('a request of @%s for /host %s offers the admin these and not everything', async (user, line, patterns) => {
  const own = { to: [`user:${idOf('lead')}`], can: ['read'], on: ['order:34-12345'] };
  const bot = await startTestBot({ policy: policySchema.parse({ grants: [own] }) });
  await bot.say(user, line);
  await pressAndSettle(bot, user, 'Ask for access');
  expect((await offeredOn(bot)).patterns).toEqual(patterns);
});

test('the audit of a person who asked for access has the words that were typed, and not what they stand for', async () => {
  const narrow = granting({ [`user:${idOf('lead')}`]: 'read operate on order:34-12345' });
  const bot = await startTestBot({ policy: narrow });
  for (const line of ['project show 2', 'restart tag:staging', 'restart 192.0.2.11']) {
    await sayAndPress(bot, 'lead', line, 'Ask for access');
  }
  await bot.settle();
  await bot.say('lead', 'audit');
  await bot.say('lead', 'audit --csv');
  const shown = bot.posted.filter(({ onlyFor }) => onlyFor === people.lead).map(({ view }) => view);
  const files = shown.flatMap((view) => (view.files ?? []).map(({ bytes }) => new TextDecoder().decode(bytes)));
  const words = [...shown.map((view) => JSON.stringify(view)), ...files].join('\n');
  expect(files).toHaveLength(1);
  for (const asked of ['read: project show 2', 'operate: restart 192.0.2.11'])
    expect(words).toContain(`asked for ${asked}`);
  expect(words).not.toMatch(/project:[A-Z]|34-(?!12345)\d/);
  // The same server under another word is another request: the person may not learn that they are the same.
  await sayAndPress(bot, 'lead', 'restart web-2', 'Ask for access');
  expect(said(bot)).not.toContain('The admins have this request already.');
  const rows = await bot.store.audit.list({ kind: 'access_asked', limit: 5 });
  expect(rows.map(({ data }) => data)).toContainEqual(expect.objectContaining({ on: ['project:Internal'] }));
});

test('a guest reads that an admin can add them, with one button that asks an admin', async ({ bot }) => {
  for (const line of ['why list', 'list', 'help']) {
    const answer = await answerTo(bot, 'guest', line);
    expect(answer).toContain('guests cannot use Hostler here unless an admin adds them by name.');
    expect(answer).not.toContain('explains it');
    expect(answer).toContain('[Ask for access]');
  }
  const home = await homeOf(bot, 'guest');
  expect(home).toContain('Nothing in your channels is shared with you yet.');
  expect(home).toContain('[Ask for access… ▾');
});
