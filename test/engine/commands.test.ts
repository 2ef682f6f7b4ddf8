import { expect, test } from 'vitest';
import { openRoom } from '../support/room.ts';
import { ops } from '../support/workspace.ts';

// The commands as the channel reads them, through the whole engine.

test('help shows what this person may do here; help of one command its examples', async () => {
  const room = await openRoom();
  await room.say('reader', 'help');
  expect(room.transcript()).toContain('Dedicated servers\nds list        The dedicated servers');
  expect(room.transcript()).not.toContain('reinstall ');
  // A group of them by its name, each as it is written; `orders` is a command as well.
  for (const line of ['help dedicated', 'help ds', 'help all orders']) await room.say('reader', line);
  expect(room.transcript()).toContain('/host ds traffic <server> [period] [port]\n');
  expect(room.transcript()).toContain('/host orders [filter…]');
  await room.say('reader', 'help servres');
  expect(room.transcript()).toContain('Did you mean Servers?');
  await room.say('reader', 'help net list');
  expect(room.transcript()).toContain('/host net list\n@Hostler net list    in a thread');
  await room.say('reader', 'help restart');
  expect(room.transcript()).toContain('/host restart web-1');
  expect(room.transcript()).toContain('you may not use it here');
});

test('password: approved by somebody else, handed over sealed, revealed once', async () => {
  const room = await openRoom();
  await room.say('operator', 'password web-1');
  await room.press('lead', 'Approve');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Reset the root password of web-1  [done in ‹time›]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✓ root password of web-1 replaced · job 812: done.
    · Asked by @operator · 1 of 1 · approved by @lead · job 812 · ‹id›
        @operator root password of web-1 replaced · job 812: done."
  `);
  await room.until(() => room.posted.some((message) => message.channel === 'U0OPERATOR'));
  expect(room.story('U0OPERATOR')).toContain('The new root password of web-1 is ready. It can be shown once');
  const stranger = await room.open('lead', { button: 'Reveal once' });
  expect(stranger).toMatchObject({ summary: expect.stringContaining('It is gone') });
  const shown = await room.open('operator', { button: 'Reveal once' });
  const code = 'code' in shown ? shown.code : undefined;
  expect(code).toMatch(/^\S{8,}$/);
  expect(await room.open('operator', { button: 'Reveal once' })).toMatchObject({
    summary: expect.stringContaining('It is gone'),
  });
  const everything = JSON.stringify([
    room.posted,
    await room.store.operations.list({ limit: 10 }),
    await room.store.audit.list({ limit: 100 }),
  ]);
  expect(everything).not.toContain(code);
});

test('cancel: typed name, then kept again', async () => {
  const room = await openRoom();
  await room.say('operator', 'cancel staging-1');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
  "## Cancel staging-1  [waiting for approval]
  staging-1 · 34-12422 · 203.0.113.140 · Cloud NVMe 1 · ● active
  Effect: it is not renewed; when its paid period ends it is cancelled, and what is on it is deleted
  Takes effect: on ‹date›; until then /host keep 34-12422 takes it back
  Lost: the server, all data on it and its address 203.0.113.140
  Power: ○ off
  Depends: 1 DNS record points here: staging.example.net A
  Paid: until ‹date› (‹n› days)
  Backup: a snapshot is kept before the server is removed; keeping it may cost money (--no-backup keeps none)
  · Asked by @operator · 0 of 1 · rule: destructive → approve 1 and typing the name · expires ‹date› · ‹id›
  [Approve] [Decline…] [Withdraw]"
`);
  const wrong = await room.open('lead', { button: 'Approve' });
  expect(await room.submit('lead', wrong, { words: 'web-1' })).toMatchObject({ kind: 'errors' });
  expect(await room.submit('lead', wrong, { words: 'staging-1' })).toEqual({ kind: 'accepted' });
  await room.settle();
  expect(room.story()).toContain('staging-1');
  await room.say('operator', 'cancel staging-1');
  expect(room.transcript()).toContain('(only @operator)');
  await room.say('operator', 'keep staging-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Cancel staging-1  [done in ‹time›]
    staging-1 · 34-12422 · 203.0.113.140 · Cloud NVMe 1 · ● active
    ✓ staging-1 marked to be cancelled when its paid period ends (‹date›) · cancel mark: set.
    · Asked by @operator · 1 of 1 · approved by @lead · Order will be canceled after expiration. · ‹id›
    [Undo]
        @operator staging-1 marked to be cancelled when its paid period ends (‹date›) · cancel mark: set.
    (only @operator) staging-1 is marked already: it is cancelled when its paid period ends (‹date›). /host keep 34-12422 takes that back.
    ## Keep staging-1  [done in ‹time›]
    staging-1 · 34-12422 · 203.0.113.140 · Cloud NVMe 1 · ● active, to be cancelled
    ✓ staging-1 is kept · cancel mark: none.
    · Asked and confirmed by @operator · ‹id›
        @operator staging-1 is kept · cancel mark: none."
  `);
});

test('dns: add, change, undo, and undo refused when somebody changed it since', async () => {
  const room = await openRoom();
  await room.say('operator', 'dns set example.com www A 192.0.2.20 ttl=300');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Change 1 record in example.com  [done in ‹time›]
    example.com · 18 records · tags prod
    − www  A  192.0.2.10  ttl 300
    + www  A  192.0.2.20  ttl 300
    ✓ www.example.com A is 192.0.2.20 · read back from the zone.
    · Asked and confirmed by @operator · ‹id›
    [Undo]
        @operator www.example.com A is 192.0.2.20 · read back from the zone."
  `);
  await room.press('operator', 'Undo');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toContain('192.0.2.10');
  await room.say('operator', 'dns add example.com test A 192.0.2.9');
  await room.press('operator', 'Confirm');
  await room.settle();
  const entry = room.sim
    .state()
    .domains.find((domain) => domain.name === 'example.com')
    ?.entries.find((one) => one.host === 'test');
  room.sim.records({ domain: 'example.com', set: [{ id: entry?.id ?? 0, value: '192.0.2.66' }] });
  await room.press('operator', 'Undo');
  expect(room.transcript()).toContain('192.0.2.66');
  await room.say('operator', 'dns add example.com bad A 999.1.1.1');
  await room.say('operator', 'dns remove example.com www A');
  await room.settle();
  expect(room.story()).toContain('waiting for approval');
});

test('several servers: one card, one after another, stopping at the first that does not come back', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart tag:web');
  await room.settle();
  expect(room.story()).toContain('## Restart web-1, web-2 and web-3');
  room.sim.fault({
    kind: 'answer',
    match: 'POST /vps/{order_id}/restart/',
    status: 409,
    body: { detail: 'Another operation is in progress.' },
    times: 1,
  });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1, web-2 and web-3  [failed]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    web-2 · 34-12399 · 192.0.2.11 · Cloud NVMe 2 · ● on
    web-3 · 34-12407 · 198.51.100.10 · Cloud NVMe 2 · ● on
    ✕ failed  web-1: the provider answered 409: Another operation is in progress. Nothing was changed.
    – not started  web-2
    – not started  web-3
    ✕ web-1: the provider answered 409: Another operation is in progress. Nothing was changed. 0 of 3 steps done; stopped there.
    · Asked and confirmed by @operator · ‹id›
        @operator web-1: the provider answered 409: Another operation is in progress. Nothing was changed. 0 of 3 steps done; stopped there."
  `);
  expect(room.sim.requests().filter((request) => request.path.endsWith('/restart/'))).toHaveLength(1);
  await room.say('operator', 'restart tag:web --parallel 3');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toContain('web-1, web-2 and web-3 restarted');
});

test('a direct message acts under the rules of a channel the person is in', async () => {
  const room = await openRoom();
  const dm = { channel: 'D0OPERATOR', kind: 'dm' } as const;
  await room.say('operator', 'status web-1', { place: dm });
  await room.say('operator', 'restart web-1', { place: dm });
  await room.settle();
  expect(room.story('D0OPERATOR')).toContain('The card is in #ops, under its rules');
  expect(room.story(ops)).toContain('## Restart web-1  [waiting for confirmation]');
  await room.say('guest', 'status web-1', { place: { channel: 'D0GUEST', kind: 'dm' } });
  expect(room.transcript('D0GUEST')).toContain('None of the channels you are in lets you');
});

test('requests, jobs, audit and version answer', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  await room.say('operator', 'requests');
  await room.say('operator', 'jobs');
  await room.say('operator', 'audit');
  await room.say('operator', 'version');
  expect(room.transcript()).toContain('Restart web-1 │ done │ @operator');
  expect(room.transcript()).toContain('Nothing is running.');
  expect(room.transcript()).toMatch(/│ vote │ confirmed: Restart web-1/);
  expect(room.transcript()).toContain('Hostler 0.0.0-test');
});

test('a form: what is typed is filled in, an error stands at its field, then the card', async () => {
  const room = await openRoom();
  const form = await room.open('operator', { line: 'dns add example.com' });
  expect(form).toMatchObject({ title: 'DNS add' });
  const values = { domain: ['example.com'], host: 'www2', type: 'A', value: '999.1.1.1' };
  expect(await room.submit('operator', form, values)).toMatchObject({
    kind: 'errors',
    errors: { value: expect.stringContaining('IPv4') },
  });
  expect(await room.submit('operator', form, { ...values, value: '192.0.2.44' })).toEqual({ kind: 'accepted' });
  await room.settle();
  expect(room.story()).toContain('waiting for confirmation');
});

test('the provider is away: told in its words, with nothing done', async () => {
  const room = await openRoom();
  room.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
  await room.say('operator', 'restart web-1');
  await room.settle();
  expect(room.transcript()).toContain('the provider answered 503: Maintenance.');
});

test('the menu: everything one may do here by what it is about, the harmless first', async () => {
  const room = await openRoom();
  await room.say('operator', '');
  const menu = room.transcript();
  expect(menu).toContain('· Servers\n[list] [status] [job…] [stats…] [start…]');
  const labels = [...menu.matchAll(/\[([^\]]+?)…?\]/g)].map(([, label]) => label);
  expect(labels).toEqual(expect.arrayContaining(['restart', 'reinstall', 'dns set', 'tag add', 'balance', 'requests']));
  expect(labels).not.toContain('access grant');
});

test('a name that is typed whole finds its domain; what a form can add, the form asks for', async () => {
  const room = await openRoom();
  await room.say('reader', 'dns domains');
  await room.say('operator', 'dns set www.example.com A 192.0.2.11');
  await room.settle();
  expect(room.story()).toContain('www.example.com A answers 192.0.2.11 instead of 192.0.2.10');
  expect(await room.open('operator', { line: 'reinstall web-1' })).toMatchObject({ title: 'Reinstall' });
  expect(await room.open('operator', { line: 'rescue web-1' })).toMatchObject({ title: 'Rescue' });
  const create = await room.open('operator', { line: 'create location=de' });
  expect(await room.submit('operator', create, {})).toEqual({
    kind: 'errors',
    errors: { plan: 'Something is needed here: a plan, or cores, memory and disk.' },
  });
});

test('a form of several pages goes back to the page that is wrong, and what was filled in is not lost', async () => {
  const room = await openRoom();
  const send = async (form: Awaited<ReturnType<typeof room.open>>, values: Record<string, string | string[]>) => {
    const answer = await room.submit('operator', form, values);
    return answer.kind === 'next' ? answer.form : answer;
  };
  const filledIn = (form: object, name: string) =>
    'fields' in form && Array.isArray(form.fields) ? form.fields.find((field) => field.name === name)?.initial : 'none';
  const first = await room.open('operator', { line: 'create' });
  const second = await send(first, { cpu: '2', ram: '4', disk: '40' });
  // Made for arm, and the server would be x86_64: that shows when everything is known.
  const third = 'id' in second ? await send(second, { template: ['8'] }) : second;
  const back = 'id' in third ? await send(third, { name: 'web-4', location: ['de'] }) : third;
  expect(back).toMatchObject({
    notes: [
      '⚠ Debian 12 arm is made for arm, and the server would be x86_64. Choose another template, or set arch.',
      'Order a new server, paid from the balance · step 2 of 3',
    ],
  });
  const last = 'id' in back ? await send(back, { template: ['2'] }) : back;
  expect(filledIn(last, 'name')).toBe('web-4');
  // What stands at no field closes the form, and a button opens it again as it was.
  room.sim.balance({ balance: 0 });
  const one = await send(await room.open('operator', { line: 'create' }), { plan: ['101'] });
  const page3 = 'id' in one ? await send(one, { template: ['2'] }) : one;
  expect('id' in page3 && (await send(page3, { name: 'web-5', location: ['de'] }))).toEqual({ kind: 'accepted' });
  await room.settle();
  expect(room.story()).toMatch(/This costs € 3.50 now, and the balance is € 0(.*\n)+\[Open the form again\]/);
  const again = await room.open('operator', { button: 'Open the form again' });
  expect(filledIn(again, 'plan')).toEqual([{ value: '101', label: '101' }]);
});
