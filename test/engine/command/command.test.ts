import { expect, test } from 'vitest';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { commands } from '../../stories/commands.ts';
import { dns } from '../../stories/dns.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { ops, people } from '../../support/fake-slack.ts';
import { startTestBot } from '../../support/test-bot.ts';
import { textOf } from '../../support/view-text.ts';

// The commands as the channel reads them, through the whole engine.

tellEach([...commands, ...dns]);

test('where no form can open, the answer says which argument is missing', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'restart');
  expect(bot.story()).toMatchInlineSnapshot(`
    "(only @operator) restart also needs servers: /host restart <servers…> [parallel=…]
    Names, ids, addresses or a tag such as tag:web.
    [Fill in]"
  `);
});

test('cancel alone opens a form that offers the orders that can be canceled, and says where a request is called off', async () => {
  const bot = await startTestBot();
  bot.sim.order({ order: '34-12380', cancel_mark: true });
  bot.sim.order({ order: '34-12399', status: 'canceled' });
  await bot.say('operator', 'cancel');
  expect(bot.story()).toContain('A request is called off on its card.\n[Fill in]');
  const form = await bot.open('operator', { line: 'cancel' });
  if (!('id' in form)) throw new Error('no form');
  expect(form).toMatchObject({ title: 'End an order', fields: [{ label: 'Order', widget: 'search' }, {}, {}, {}, {}] });
  const query = { actor: people.operator ?? '', form: form.id, source: 'live-orders', text: '' };
  const offered = (await bot.replicas[0]?.engine.suggest(query))?.map(({ label }) => label);
  expect(offered).toEqual(
    expect.arrayContaining([expect.stringContaining('staging-1'), expect.stringContaining('example.com')]),
  );
  expect(offered?.join()).not.toMatch(/vpn-1|web-2/);
});

test('when the provider is offline, the answer quotes it', async () => {
  const bot = await startTestBot();
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  expect(bot.transcript()).toContain('the provider answered 503: Maintenance.');
});

test('the menu lists all commands that the person may use here by area, harmless ones first', async () => {
  const bot = await startTestBot();
  await bot.say('operator', '');
  const menu = bot.transcript();
  expect(menu).toContain('[All commands, or ask for access ▾ [list] [status] [stats…] [start…]');
  const labels = [...menu.matchAll(/\[([^\]]+?)…?\]/g)].map(([, label]) => label);
  expect(labels).toEqual(expect.arrayContaining(['restart', 'reinstall', 'dns set', 'tag', 'balance', 'requests']));
  expect(labels).not.toContain('access grant');
});

test('the full name of a record finds its domain; a command opens its form for what is missing', async () => {
  const bot = await startTestBot();
  await bot.say('reader', 'dns domains');
  await bot.say('operator', 'dns set www.example.com A 192.0.2.11');
  await bot.settle();
  expect(bot.story()).toContain('cached up to 5 minutes · 192.0.2.10 is web-1 and 192.0.2.11 is web-2');
  expect(await bot.open('operator', { line: 'reinstall web-1' })).toMatchObject({ title: 'Reinstall a server' });
  expect(await bot.open('operator', { line: 'rescue web-1' })).toMatchObject({ title: 'Rescue mode' });
  const create = await bot.open('operator', { line: 'create location=de' });
  expect(await bot.submit('operator', create, { hardware: 'plan' })).toEqual({
    kind: 'errors',
    errors: { plan: 'Something is needed here: a plan, or cores, memory and disk.' },
  });
});

test('people and groups are found by their typed name, and a name that two share is refused', async () => {
  const bot = await startTestBot({ replicas: 1, policy: null });
  await bot.say('admin', 'access grant @ops,@lead read');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  await bot.say('admin', 'access rule dangerous approve 1 by=@ops');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  bot.roster.set('U0SECOND', { name: 'ops', standing: 'member' });
  await bot.say('admin', 'access grant @ops billing');
  await bot.say('admin', 'access grant @nobody read');
  const policy = await createPolicies(bot.store, bot.directory).get(ops);
  expect(policy).toMatchObject({
    grants: [{ to: ['group:S0OPS', 'user:U0LEAD'], can: ['read'] }],
    rules: { dangerous: { by: ['group:S0OPS'] } },
  });
  expect(bot.story()).toContain('More than one person or user group is called @ops.');
  expect(bot.story()).toContain('No person or user group is called @nobody.');
  await bot.say('lead', 'audit by=@admin');
  expect(bot.story()).toContain('policy');
});

test('the form of a reinstall offers the templates that the server can run, however the server was given', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const suggest = async (form: object) => {
    const query = { actor: people.operator ?? '', form: 'id' in form ? String(form.id) : '', source: 'templates' };
    return (await bot.replicas[0]?.engine.suggest({ ...query, text: 'debian' }))?.map(({ label }) => label);
  };
  const x86 = ['Debian 12', 'Debian 13', 'Debian 12 + ISPmanager'];
  const first = await bot.open('operator', { line: 'reinstall' });
  expect('fields' in first && first.fields.map(({ name }) => name)).toEqual(['server']);
  const next = await bot.submit('operator', first, { server: ['34-12345'] });
  if (next.kind !== 'next') throw new Error(next.kind);
  expect(next.form.fields.map(({ name }) => name)).toEqual([
    'template',
    'app',
    'snapshot',
    'ssh_keys',
    '@at',
    '@reason',
  ]);
  expect(await suggest(next.form)).toEqual(x86);
  for (const word of ['web-1', '34-12345', '192.0.2.10']) {
    const form = await bot.open('operator', { line: `reinstall ${word}` });
    expect(form, word).toMatchObject({ notes: [expect.stringContaining('step 2 of 2'), 'For web-1 (34-12345)'] });
    expect(await suggest(form), word).toEqual(x86);
  }
  const unknown = await bot.open('operator', { line: 'reinstall web-77' });
  expect('fields' in unknown && unknown.fields.map(({ name }) => name)).toEqual(['server']);
});

test('an error in a field is shown at the field, and as a message when the form is closed', async () => {
  const bot = await startTestBot();
  const reinstall = await bot.open('operator', { line: 'reinstall web-1' });
  expect(await bot.submit('operator', reinstall, { server: ['web-1'], template: ['4711'] })).toEqual({
    kind: 'errors',
    errors: { template: expect.stringContaining('4711') },
    withoutForm: {
      place: { channel: ops, kind: 'channel' },
      view: expect.objectContaining({ summary: expect.stringContaining('4711') }),
    },
  });
});

test('a form of several pages goes back to the page with the error and keeps what was filled in', async () => {
  const bot = await startTestBot();
  const send = async (form: Awaited<ReturnType<typeof bot.open>>, values: Record<string, string | string[]>) => {
    const answer = await bot.submit('operator', form, values);
    return answer.kind === 'next' ? answer.form : answer;
  };
  const filledIn = (form: object, name: string) =>
    'fields' in form && Array.isArray(form.fields) ? form.fields.find((field) => field.name === name)?.initial : 'none';
  const first = await bot.open('operator', { line: 'create' });
  const sizes = await send(first, { hardware: 'sizes' });
  expect('fields' in sizes && sizes.fields.map(({ name }) => name)).toEqual([
    'cpu',
    'ram',
    'disk',
    'arch',
    'frequency',
  ]);
  const second = 'id' in sizes ? await send(sizes, { cpu: '2', ram: '4', disk: '40' }) : sizes;
  expect('notes' in second && second.notes.map(textOf)[1]).toBe(
    'So far: 2 cores, 4 GB memory, 40 GB disk · price unknown: the API has no price for the configuration · balance € 84.20 now, at most € 84.20 after',
  );
  // The template is for arm, the server x86_64: the last page shows the error.
  const third = 'id' in second ? await send(second, { template: ['8'] }) : second;
  const back = 'id' in third ? await send(third, { name: 'web-4', location: ['de'] }) : third;
  expect(back).toMatchObject({
    notes: [
      '🟡 Debian 12 arm is made for arm, and the server would be x86_64. Choose another template, or set arch.',
      'Paid from the balance · step 3 of 4',
      expect.anything(),
    ],
  });
  const last = 'id' in back ? await send(back, { template: ['2'] }) : back;
  expect(filledIn(last, 'name')).toBe('web-4');
  // An error that belongs to no field closes the form, and a button opens it again with its values.
  bot.sim.balance({ balance: 0 });
  const one = await send(await bot.open('operator', { line: 'create' }), { hardware: 'plan', plan: ['101'] });
  const page3 = 'id' in one ? await send(one, { template: ['2'] }) : one;
  expect('id' in page3 && (await send(page3, { name: 'web-5', location: ['de'] }))).toEqual({ kind: 'accepted' });
  await bot.settle();
  expect(bot.story()).toMatch(/This costs € 3.50 now, and the balance does not cover it(.*\n)+\[Open the form again\]/);
  const again = await bot.open('operator', { button: 'Open the form again' });
  expect(filledIn(again, 'template')).toEqual([{ value: '2', label: '2' }]);
});

test('the form of create shows the price before the name, and rare options only on request', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const send = async (form: Awaited<ReturnType<typeof bot.open>>, values: Record<string, string | string[]>) => {
    const answer = await bot.submit('operator', form, values);
    if (answer.kind !== 'next') throw new Error(`no further page: ${JSON.stringify(answer)}`);
    return answer.form;
  };
  const upToName = async () => {
    const first = await bot.open('operator', { line: 'create' });
    expect('notes' in first && first.notes).toHaveLength(1);
    const images = await send(first, { hardware: 'plan', plan: ['101'] });
    expect(images.notes.map(textOf)[1]).toBe(
      'So far: Cloud NVMe 1 · price € 3.50 a month · balance € 84.20 now, € 80.70 after',
    );
    const next = await send(images, { template: ['2'] });
    expect(next.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 1 · price € 3\.50 a month/);
    return next;
  };
  // The value that Slack sends for a box that is not ticked.
  const named = { name: 'web-8', location: ['de'], more: 'no' };
  const shown = await send(await upToName(), named);
  expect(shown.submit).toBe('Request');
  expect(shown.notes.map(textOf).join('\n')).toMatch(/Price: € 3\.50.*\n(.*\n)*Balance: /);
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toEqual([]);
  expect(await bot.submit('operator', shown, named)).toEqual({ kind: 'accepted' });
  await bot.settle();
  expect(bot.story()).toContain('Create web-8');
  const more = await send(await upToName(), { ...named, name: 'web-9', more: 'yes' });
  expect(more.fields.map(({ name }) => name)).toContain('bandwidth');
  // The form does not depend on it.
  const first = await bot.open('operator', { line: 'create' });
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'away' } });
  const images = await send(first, { hardware: 'plan', plan: ['101'] });
  expect(images.notes).toHaveLength(1);
});

test('create like a server fills in the form from its order, and refuses a line with nothing to fill in', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const form = await bot.open('operator', { line: 'create like=db-1 name=db-3' });
  expect('notes' in form && form.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 4 · /);
  const answer = await bot.submit('operator', form, { template: ['2'] });
  const page = answer.kind === 'next' ? answer.form.fields : [];
  const initial = (name: string) => JSON.stringify(page.find((field) => field.name === name));
  expect(initial('name')).toContain('db-3');
  expect(initial('tags')).toContain('"db prod"');
  await bot.say('operator', 'create like=db-1 plan=102 template="Debian 13" location=de name=db-3');
  expect(bot.transcript()).toContain('this line leaves nothing to fill in');
  const own = await bot.open('operator', { line: 'create like=db-1 name=db-3 plan=101' });
  expect('notes' in own && own.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 1 · /);
  const none = await bot.open('operator', { line: 'create like=nothing-such' });
  expect(JSON.stringify(none)).toContain('There is no server called nothing-such.');
});
