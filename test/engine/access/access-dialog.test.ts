import { expect, test } from 'vitest';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import { plain, type View } from '../../../src/core/view/view.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { granting, usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, grantsOf, idOf, nextPage, pressAndSettle, suggested } from '../told.ts';

// The rights of a channel in a dialog: chosen, previewed, requested, confirmed.

const base = granting({ [`group:${opsGroup}`]: 'read operate', everyone: 'read on tag:web' });

const fieldsIn = (form: Form | View) =>
  'fields' in form ? form.fields.filter(({ name }) => !name.startsWith('@')) : [];

/** Previews the form, requests it, and confirms its card. */
async function requested(bot: TestBot, form: Form | View, values: FormValues): Promise<Form> {
  const preview = await nextPage(bot, 'admin', form, values);
  await bot.submit('admin', preview, values);
  await pressAndSettle(bot, 'admin', 'Confirm');
  return preview;
}

const notesOf = (form: Form) => form.notes.map((note) => plain(note));

test('a grant is chosen with pickers and boxes, previewed with its servers, and saved as a request with a card', async () => {
  const bot = await startTestBot({ policy: base });
  await bot.say('admin', 'access');
  const form = await bot.open('admin', { button: 'Add…' });
  expect(fieldsIn(form).map(({ name, widget, label }) => [name, widget, label])).toEqual([
    ['to', 'people', 'People'],
    ['to.groups', 'groups', 'User groups'],
    ['to.everyone', 'toggle', 'Everyone in this channel'],
    ['can', 'checks', 'May'],
    ['on', 'search', 'On'],
  ]);
  expect(form).toMatchObject({ title: 'Give access', submit: 'Preview' });
  const values = {
    to: [idOf('reader'), idOf('guest')],
    'to.groups': [opsGroup],
    'to.everyone': 'no',
    can: ['operate', 'dns'],
    on: ['tag:web', 'domain:example.com'],
  };
  const previewed = await nextPage(bot, 'admin', form, values);
  expect(previewed.submit).toBe('Request');
  expect(notesOf(previewed)).toEqual([
    'Let people or groups do something here',
    'Becomes possible',
    `• @${idOf('reader')}, @${idOf('guest')}: operate (start, stop, restart and rescue servers), dns (change DNS records and domains) on tag:web, domain:example.com (now 4 targets)`,
    `• @${opsGroup}: dns (change DNS records and domains) on tag:web, domain:example.com (now 4 targets)`,
    `🟡 @${idOf('guest')} is a guest in this workspace.`,
  ]);
  // A dialog whose values were changed is previewed again; nothing is requested before.
  const again = await nextPage(bot, 'admin', previewed, { ...values, to: [idOf('reader')], 'to.groups': [] });
  expect(notesOf(again).join('\n')).not.toContain('guest');
  expect(await openOperations(bot.store)).toEqual([]);
  expect(await bot.submit('admin', again, { ...values, to: [idOf('reader')], 'to.groups': [] })).toEqual({
    kind: 'accepted',
  });
  await bot.settle();
  expect(bot.story()).toContain('Becomes possible: @reader: operate, dns on tag:web, domain:example.com');
  await pressAndSettle(bot, 'admin', 'Confirm');
  const { grants } = granting({ [`user:${idOf('reader')}`]: 'operate dns on tag:web, domain:example.com' });
  expect((await grantsOf(bot)).at(-1)).toEqual(grants[0]);
});

test('the buttons of a grant open it filled in, to change or remove it; the preview shows the rights that are lost', async () => {
  const bot = await startTestBot({ policy: base });
  await bot.say('admin', 'access');
  const change = await bot.open('admin', { button: 'Change 1…' });
  expect(fieldsIn(change)).toMatchObject([
    { name: 'grant', initial: '1' },
    { name: 'to', initial: [] },
    { name: 'to.groups', initial: [opsGroup] },
    { name: 'to.everyone', initial: false },
    { name: 'can', initial: ['read', 'operate'] },
    { name: 'on', initial: [{ value: 'all' }] },
  ]);
  const fewer = await requested(bot, change, { grant: '1', 'to.groups': [opsGroup], can: ['read'], on: ['all'] });
  const seen = notesOf(fewer).slice(1);
  expect(seen).toEqual(['No longer possible', expect.stringMatching(`• @${opsGroup}: operate .* on all`)]);
  const remove = await bot.open('admin', { button: 'Remove 2…' });
  const gone = await requested(bot, remove, { grant: '2' });
  expect(notesOf(gone)).toEqual(['No longer possible', expect.stringContaining('everyone: read')]);
  expect(await grantsOf(bot)).toEqual([{ to: [`group:${opsGroup}`], can: ['read'], on: ['all'] }]);
  expect(bot.story()).not.toMatch(/[0-9a-f]{32}/);
});

test('the dialog says that a grant exists already or is gone; nobody but an admin can open it or see its buttons', async () => {
  const bot = await startTestBot({ policy: base });
  const form = await bot.open('admin', { line: 'access grant' });
  const same = await nextPage(bot, 'admin', form, { 'to.everyone': 'yes', can: ['read'], on: ['tag:web'] });
  expect(notesOf(same).at(-1)).toBe('Nothing changes: these rights are there already.');
  const old = await bot.open('admin', { line: 'access revoke 7' });
  expect(await bot.submit('admin', old, { grant: '7' })).toMatchObject({
    kind: 'errors',
    errors: { grant: expect.stringContaining('There is no grant 7 here.') },
  });
  const answer = await bot.submit('admin', form, { can: ['read'] });
  expect(answer).toMatchObject({ kind: 'errors', errors: { to: expect.any(String) } });
  await bot.say('operator', 'access');
  expect(bot.story()).not.toContain('[Add…]');
  expect(await bot.open('operator', { line: 'access grant everyone read' })).not.toHaveProperty('fields');
});

test('Test… says whether a person may use a typed command, and runs nothing', async () => {
  const bot = await startTestBot({ policy: base });
  await bot.say('admin', 'access');
  const form = await bot.open('admin', { button: 'Test…' });
  expect(fieldsIn(form).map(({ name, widget, optional }) => [name, widget, optional])).toEqual([
    ['about_whom', 'people', true],
    ['command', 'text', false],
  ]);
  const said = async (about: readonly string[], command: string) => {
    const before = bot.story().length;
    await bot.submit('admin', form, { about_whom: about, command });
    return bot.story().slice(before);
  };
  expect(await said([idOf('reader')], 'restart web-1')).toContain('reader may not use /host restart web-1 here');
  const again = await bot.open('admin', { button: 'Test…' });
  await bot.submit('admin', again, { about_whom: [idOf('operator')], command: '/host restart web-1' });
  expect(bot.story()).toContain('operator may use /host restart web-1 here');
  expect(await bot.store.operations.list({ limit: 5 })).toEqual([]);
  const answered = (await bot.store.audit.list({ kind: 'answered', limit: 5 })).map(({ data }) => JSON.stringify(data));
  expect(answered.join()).toContain(`about_whom=${idOf('reader')}`);
  await bot.say('operator', 'access');
  expect(bot.story().match(/\[Test…\]/g)).toHaveLength(1);
});

test('an admin who fills in a grant can search tags, projects, orders and domains by name', async () => {
  const bot = await startTestBot({ policy: base });
  bot.sim.order({ order: '34-12399', tags: ['web', '*'] });
  await bot.say('admin', 'list');
  const form = await bot.open('admin', { line: 'access grant' });
  const search = async (user: string, text: string) =>
    (await suggested(bot, user, form, 'access-targets', text)).map(({ value }) => value);
  expect(await search('admin', 'web-1')).toEqual(['order:34-12345']);
  expect(await search('admin', 'tagged web')).toContain('tag:web');
  expect(await search('admin', 'every')).toContain('all');
  expect(await search('admin', 'domain example.com')).toEqual(['domain:example.com']);
  expect(await search('reader', 'web-1')).toEqual([]);
  // Of a tag with the sign for anything, the pattern that stands for this tag and no other.
  expect(await search('admin', '*')).toContain('tag:\\*');
  expect(await search('admin', '*')).not.toContain('tag:*');
});

test('one choice is granted as one pattern, with any words in it', async () => {
  const bot = await startTestBot({ policy: base });
  const choices = [
    'project:Catch all',
    'tag:web all',
    'domain tag:web all',
    'project:Acme, all',
    'project:Shop tag:web',
  ];
  for (const [n, choice] of [...choices, 'project:\\*'].entries()) {
    const values = { to: [idOf('reader')], can: ['dns'], on: [choice] };
    await requested(bot, await bot.open('admin', { line: 'access grant' }), values);
    expect((await grantsOf(bot)).at(-1)).toEqual({ to: [`user:${idOf('reader')}`], can: ['dns'], on: [choice] });
    const change = await bot.open('admin', { line: `access change ${3 + n}` });
    expect(fieldsIn(change).at(-1)).toMatchObject({ name: 'on', initial: [{ value: choice }] });
  }
});

test('access solo without an option says whether solo is on and changes nothing; its button, --on and --off change it', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), solo: true } });
  const isOn = (word: string, said: string) => `Solo is ${word} in this channel${said} /host access solo`;
  expect(await answerTo(bot, 'admin', 'access solo')).toContain(isOn('on', ': people may approve their own requests.'));
  await bot.press('admin', 'Turn solo off…');
  await pressAndSettle(bot, 'admin', 'Confirm');
  const off = ': nobody may approve their own requests.';
  expect(await answerTo(bot, 'admin', 'access solo')).toContain(isOn('off', off));
  expect(await answerTo(bot, 'admin', 'access solo --off')).toContain(isOn('off', ` already${off}`));
  await confirm(bot, 'admin', 'access solo --on');
  expect(bot.story()).toMatch(
    /## ✅ Turn solo off {2}[\s\S]*## ✅ Turn solo on .*\nOne person may approve their own request\./,
  );
  expect(await answerTo(bot, 'operator', 'access solo')).toContain('only an admin (HOSTLER_ADMINS) may do this.');
});
