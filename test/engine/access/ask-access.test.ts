import { expect, test } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import type { Form } from '../../../src/core/view/form.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import type { FormAnswer } from '../../../src/engine/context/ports.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { formOf, startTestBot, type TestBot } from '../../support/test-bot.ts';

// A person who was refused asks the admins for access; queries about rights are answered in words.

const policy: Policy = {
  version: 0,
  grants: [
    { to: [`group:${opsGroup}`], can: ['read', 'operate', 'dns'], on: ['all'] },
    { to: ['everyone'], can: ['read'], on: ['tag:web'] },
  ],
  rules: {},
  solo: false,
};
const id = (name: string) => people[name] ?? '';
/** The channel and the direct messages. */
const said = (bot: TestBot) => [ops, id('admin'), id('reader')].map((channel) => bot.story(channel)).join('\n');
const isForm = (answer: FormAnswer | Form | object): answer is Form => 'fields' in answer;

test('a person asks for access with one button, an admin grants it in a dialog that is filled in, and the person is notified', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  await bot.say('reader', 'restart web-1');
  expect(said(bot)).toContain('[Ask for access]');
  await bot.press('reader', 'Ask for access');
  await bot.settle();
  await bot.until(() => said(bot).includes('asks for access'), 'the message to the admin');
  const asked = said(bot);
  expect(asked).toContain('Your request was sent to @admin. You will get a direct message when it is decided.');
  expect(asked).toContain(
    '@reader asks for access in #ops: operate (start, stop, restart and rescue servers), for /host restart web-1.',
  );
  const direct = { channel: 'D0ADMIN', kind: 'dm' } as const;
  const form = await bot.open('admin', { button: 'Grant…' }, direct);
  if (!isForm(form)) throw new Error('no form');
  expect(form.fields).toMatchObject([
    { name: 'to', initial: [id('reader')] },
    { name: 'to.groups' },
    { name: 'to.everyone' },
    { name: 'can', initial: ['operate'] },
    { name: 'on', initial: [{ value: 'order:34-12345' }] },
    { name: '@at' },
    { name: '@reason' },
  ]);
  const values = { to: [id('reader')], can: ['operate'], on: ['order:34-12345'] };
  const preview = await bot.submit('admin', form, values);
  if (preview.kind !== 'next') throw new Error(preview.kind);
  await bot.submit('admin', preview.form, values);
  // The channel has the card, but not the admin.
  expect(bot.posted.at(-1)).toMatchObject({ channel: direct.channel, onlyFor: id('admin') });
  expect(bot.story(direct.channel)).toMatch(/Requested in #ops: Give access here\. .*\n\[Show it\]$/);
  await bot.press('admin', 'Confirm');
  await bot.settle();
  await bot.until(() => said(bot).includes('✅ Granted by @admin.'), 'the end');
  const told = bot.posted.filter(({ view }) => JSON.stringify(view).includes('Your request for access in'));
  expect(told).toHaveLength(1);
  expect(await bot.open('admin', { button: 'Grant…' }).catch(() => ({}))).not.toHaveProperty('fields');
  await bot.say('admin', 'access grant everyone "billing"');
  const kinds = (await bot.store.audit.list({ limit: 50 })).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['access_asked', 'access_granted']));
});

test('only an admin can decline, with a reason; the person cannot ask again that day; few requests a day are sent', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  await bot.say('reader', 'restart web-1');
  await bot.press('reader', 'Ask for access');
  await bot.settle();
  expect(await bot.open('operator', { button: 'Grant…' })).not.toHaveProperty('fields');
  const form = await bot.open('admin', { button: 'Decline…' });
  if (!isForm(form)) throw new Error('no form');
  expect(await bot.submit('operator', form, { words: 'mine' })).toMatchObject({ kind: 'errors' });
  await bot.submit('admin', form, { words: 'Ask the ops team.' });
  await bot.until(() => said(bot).includes('🔴 Declined by @admin: Ask the ops team.'), 'the end');
  await bot.say('reader', 'restart web-1');
  await bot.press('reader', 'Ask for access');
  expect(said(bot)).toContain('This request was declined today.');
  for (const line of [
    'stop web-1',
    'dns add example.com x A 192.0.2.1',
    'rename web-1 w',
    'cancel web-1',
    'balance',
    'password web-1',
  ]) {
    await bot.say('reader', line);
    await bot.press('reader', 'Ask for access');
  }
  expect(said(bot)).toContain('That is more than 5 requests for access in a day.');
  const asked = (await bot.store.audit.list({ limit: 100 })).filter(({ kind }) => kind === 'access_asked');
  expect(asked).toHaveLength(5);
});

test('asking for a right that was granted meanwhile says so; an admin gets the dialog; an undecided request expires', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  await bot.say('reader', 'restart web-1');
  await bot.savePolicy(
    ops,
    { ...policy, grants: [...policy.grants, { to: ['everyone'], can: ['operate'], on: ['all'] }] },
    1,
  );
  await bot.press('reader', 'Ask for access');
  expect(said(bot)).toContain('You may do this by now.');
  await bot.say('admin', 'dns add example.com x A 192.0.2.1');
  const form = await bot.open('admin', { button: 'Give access…' });
  expect(form).toMatchObject({ title: 'Give access' });
  await bot.say('reader', 'dns add example.com x A 192.0.2.1');
  await bot.press('reader', 'Ask for access');
  const stored = await createPolicies(bot.store, bot.directory).get(ops);
  expect(stored?.version).toBe(2);
});

test('"who can" lists people by capability or command, with or without a target, and only what the asking person may read', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  const answer = async (user: string, line: string) => {
    const before = bot.story().length;
    await bot.say(user, line);
    return bot.story().slice(before);
  };
  expect(await answer('reader', 'who can restart web-1')).toContain(
    'Who may use /host restart web-1 here\n• @ops\n· Disruptive: the person who asks confirms it',
  );
  expect(await answer('reader', 'who can read web-1')).toContain(
    '• @ops\n• @everyone'.replace('@everyone', 'everyone'),
  );
  expect(await answer('reader', 'who can read')).toContain('• @ops on everything\n• everyone on tag:web');
  expect(await answer('reader', 'who can balance')).toContain('Nobody may use /host balance here');
  expect(await answer('reader', 'who can access grant')).toContain('Only the admins may use /host access grant.');
  expect(await answer('reader', 'who can help')).toContain('Every member of this channel may use /host help.');
  const hidden = await answer('reader', 'who can restart db-1');
  expect(hidden).not.toContain('@ops');
});

test('"why" about another person shows their grant and rule, and only for what the asking person may read', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  await bot.say('admin', 'why @operator restart web-1');
  expect(said(bot)).toContain('operator may use /host restart web-1 here');
  await bot.say('operator', 'why @reader restart web-1');
  expect(said(bot)).toContain('reader may not use /host restart web-1 here');
  await bot.say('reader', 'why @operator restart db-1');
  expect(said(bot)).not.toContain('operator may restart db-1');
  await bot.say('reader', 'why @nobody restart web-1');
  expect(said(bot)).toContain('No person is called @nobody.');
});

test('the menu and a direct message offer to ask for the missing rights', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
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

test.each([
  { do: 'ask-access', line: 'restart', in: ops },
  { do: 'form', line: 'restart', in: ops },
] as const)(
  'where Slack does not say whether a person is in the channel of a button to $do, the person reads that',
  async (intent) => {
    const bot = await startTestBot({ replicas: 1, policy });
    const fails = async () => {
      throw new Error('ratelimited');
    };
    Object.assign(bot.directory, { isInChannel: fails });
    const place = { channel: 'D0READER', kind: 'dm' } as const;
    const words = 'Slack did not say who is in which channel, so it is not known whether you may use this button.';
    if (intent.do === 'ask-access') {
      await bot.click('reader', { label: '', intent }, { place });
      expect(bot.story('D0READER')).toContain(words);
      return;
    }
    const asked = { id: 'f1', actor: id('reader'), place, at: bot.now(), ask: { kind: 'intent', intent } } as const;
    const accepted = bot.replicas[0]?.engine.accept(asked, 'wanted');
    expect(JSON.stringify(accepted && (await formOf(accepted)))).toContain(words);
  },
);

test('a button that names a channel without the person in it requests nothing', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
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
])(
  'a person who names a project %s and asks for access to it is offered this project and nothing more',
  async (name, pattern) => {
    const own = { to: [`user:${id('lead')}`], can: ['read', 'organize'], on: ['project:Internal'] };
    const bot = await startTestBot({
      replicas: 1,
      policy: policySchema.parse({ grants: [own], rules: { routine: 'confirm' } }),
    });
    await bot.say('lead', `project edit Internal name="${name}"`);
    await bot.press('lead', 'Confirm');
    await bot.settle();
    // The new name took away the right.
    await bot.say('lead', `project show "${name}"`);
    await bot.press('lead', 'Ask for access');
    await bot.settle();
    const form = await bot.open('admin', { button: 'Grant…' }, { channel: 'D0ADMIN', kind: 'dm' });
    if (!isForm(form)) throw new Error('no form');
    const on = form.fields.find((field) => field.name === 'on');
    const chosen = on?.widget === 'search' ? (on.initial ?? []).map(({ value }) => value) : [];
    // The admin finds the project in the search.
    const query = { actor: id('admin'), form: form.id, source: 'access-targets', text: name };
    const found = (await bot.replicas[0]?.engine.suggest(query))?.map(({ value }) => value) ?? [];
    expect([chosen, found]).toEqual([[pattern], [pattern]]);
    const values = { to: [id('lead')], can: ['read'], on: [pattern] };
    const preview = await bot.submit('admin', form, values);
    if (preview.kind !== 'next') throw new Error(preview.kind);
    await bot.submit('admin', preview.form, values);
    await bot.press('admin', 'Confirm');
    await bot.settle();
    const saved = await createPolicies(bot.store, bot.directory).get(ops);
    expect(saved?.grants).toEqual([own, { to: [`user:${id('lead')}`], can: ['read'], on: [pattern] }]);
  },
);

/** The patterns that the dialog of a grant offers the admin, and the form itself. */
async function offeredOn(bot: TestBot) {
  const form = await bot.open('admin', { button: 'Grant…' }, { channel: 'D0ADMIN', kind: 'dm' });
  if (!isForm(form)) throw new Error('no form');
  const on = form.fields.find((field) => field.name === 'on');
  return on?.widget === 'search' ? (on.initial ?? []).map(({ value }) => value) : [];
}

test('a person who asks for access to a project called * is offered this project, and never the sign that means everything', async () => {
  const own = { to: [`user:${id('lead')}`], can: ['read'], on: ['project:Internal'] };
  const bot = await startTestBot({ replicas: 1, policy: policySchema.parse({ grants: [own] }) });
  // The bot makes no such name; somebody made it at the provider.
  const headers = { authorization: `Api-Key ${bot.provider.key}`, 'content-type': 'application/json' };
  const created = await fetch(`${bot.provider.url}/project/`, { method: 'POST', headers, body: '{"name":"*"}' });
  expect(created.ok).toBe(true);
  await bot.say('lead', 'project show "*"');
  await bot.press('lead', 'Ask for access');
  await bot.settle();
  expect(await offeredOn(bot)).toEqual(['project:\\*']);
});

test.each([
  ['reader', 'list tag:web', ['tag:web']],
  ['reader', 'list project:Shop tag:*', ['project:Shop', 'tag:\\*']],
  ['lead', 'freeze tag:staging "moving"', ['tag:staging']],
])('a request of @%s for /host %s offers the admin these and not everything', async (user, line, patterns) => {
  const own = { to: [`user:${id('lead')}`], can: ['read'], on: ['order:34-12345'] };
  const bot = await startTestBot({ replicas: 1, policy: policySchema.parse({ grants: [own] }) });
  await bot.say(user, line);
  await bot.press(user, 'Ask for access');
  await bot.settle();
  expect(await offeredOn(bot)).toEqual(patterns);
});

test('the audit of a person who asked for access has the words that were typed, and not what they stand for', async () => {
  const narrow = policySchema.parse({
    grants: [{ to: [`user:${id('lead')}`], can: ['read', 'operate'], on: ['order:34-12345'] }],
  });
  const bot = await startTestBot({ replicas: 1, policy: narrow });
  for (const line of ['project show 2', 'restart tag:staging', 'restart 192.0.2.11']) {
    await bot.say('lead', line);
    await bot.press('lead', 'Ask for access');
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
  await bot.say('lead', 'restart web-2');
  await bot.press('lead', 'Ask for access');
  expect(said(bot)).not.toContain('The admins have this request already.');
  const rows = await bot.store.audit.list({ kind: 'access_asked', limit: 5 });
  expect(rows.map(({ data }) => data)).toContainEqual(expect.objectContaining({ on: ['project:Internal'] }));
});

test('"who can" about a name of both a domain and a server says which it took, and its button asks about the other', async () => {
  const bot = await startTestBot({ replicas: 1, policy });
  bot.sim.order({ order: '34-12345', name: 'example.com' });
  const answer = async (user: string, line: string) => {
    const before = bot.story().length;
    await bot.say(user, line);
    return bot.story().slice(before);
  };
  const both = await answer('operator', 'who can read example.com');
  expect(both).toContain('Who may use “read” on example.com here\n• @ops\n');
  expect(both).toContain(
    'This is about the domain example.com, and not about the order 375-13 and the server 34-12345 of the same name.',
  );
  expect(both).not.toContain('everyone');
  const before = bot.story().length;
  await bot.press('operator', 'About the server 34-12345');
  const other = bot.story().slice(before);
  expect(other).toContain('Who may use “read” on 34-12345 here\n• @ops\n• everyone');
  expect(other).not.toContain('This is about');
  // The reader may read the server with its tag, and no domain.
  const visible = await answer('reader', 'who can read example.com');
  expect(visible).toContain('• everyone');
  expect(visible).not.toContain('domain');
});
