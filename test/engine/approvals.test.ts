import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { openRoom } from '../support/room.ts';
import { opsGroup, people } from '../support/workspace.ts';

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'secrets'] };
const by = [`group:${opsGroup}`];

test('two of M approve; the requester is not one of them; a second vote of the same person does not count', async () => {
  const room = await openRoom({
    policy: policySchema.parse({
      grants: [operate],
      rules: { disruptive: { approve: 2, by: [...by, `user:${people.reader}`] } },
    }),
  });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Approve');
  await room.press('lead', 'Approve');
  await room.press('lead', 'Approve');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [waiting for approval]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked by @operator · 1 of 2 · approved by @lead · rule: disruptive → approve 2 · expires ‹date› · ‹id›
    [Approve] [Decline…] [Withdraw]
    (only @operator) You cannot approve this: you asked for this, so somebody else must approve.
    (only @lead) Your vote on this is counted already."
  `);
  await room.press('reader', 'Approve');
  await room.settle();
  expect(room.story()).toContain('done in');
  expect(room.story()).toContain('2 of 2 · approved by @lead, @reader');
});

test('solo: an admin has allowed one person to approve their own request, and the card says so', async () => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1 } }, solo: true }),
  });
  await room.say('operator', 'restart web-1');
  await room.settle();
  expect(room.story()).toContain('solo: the person who asked may approve here');
  await room.press('operator', 'Approve');
  await room.settle();
  expect(room.story()).toContain('web-1 restarted');
});

test('somebody who may not approve is told privately, and the card stays as it is', async () => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await room.say('operator', 'restart web-1');
  await room.press('reader', 'Approve');
  await room.press('guest', 'Approve');
  await room.settle();
  expect(room.transcript()).toContain('(only @reader) You cannot approve this: approvers here are @');
  expect(room.transcript()).toContain('(only @guest) You cannot approve this: guests have no rights here');
  expect(room.transcript()).toContain('waiting for approval');
});

test('an approver who left the group before it ran: the vote is void, the card waits again', async () => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 2, by } } }),
  });
  room.groups.get(opsGroup)?.add(people.reader ?? '');
  await room.say('operator', 'restart web-1');
  await room.press('reader', 'Approve');
  room.groups.get(opsGroup)?.delete(people.reader ?? '');
  await room.press('lead', 'Approve');
  await room.until(() => room.story().includes('no longer counts') && room.story().includes('[waiting for approval]'));
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [waiting for approval]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked by @operator · 1 of 2 · approved by @lead · rule: disruptive → approve 2 · expires ‹date› · ‹id›
    [Approve] [Decline…] [Withdraw]
        ! The approval of @reader no longer counts: approvers here are @S0OPS. The request waits again."
  `);
  expect(room.sim.requests().filter((request) => request.method === 'POST')).toEqual([]);
});

test('the requester lost the right before it ran: refused, with the rule', async () => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await room.say('operator', 'restart web-1');
  room.groups.get(opsGroup)?.delete(people.operator ?? '');
  await room.press('lead', 'Approve');
  await room.settle();
  expect(room.story()).toContain('not run: this needs operate; no grant in this channel names you. Nothing was done.');
});

test('a channel that became shared or public: nothing runs, and who asked is told directly', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  const channel = room.channels.get('C0OPS');
  if (channel) room.channels.set('C0OPS', { ...channel, isShared: true });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.transcript('U0OPERATOR')).toContain('not run: this channel is shared with another organisation');
  if (channel) room.channels.set('C0OPS', { ...channel, isPrivate: false });
  await room.say('operator', 'restart web-2');
  expect(room.transcript()).toContain('this channel became public; its rights rest');
  await room.say('admin', 'access confirm');
  await room.press('admin', 'Confirm');
  await room.settle();
  await room.say('operator', 'restart web-2');
  await room.settle();
  expect(room.story()).toContain('## Restart web-2  [waiting for confirmation]');
});

test('while one runs, the target is held; a second request says by what', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.say('lead', 'stop web-1');
  await room.press('operator', 'Confirm', { first: true });
  await room.until(async () => room.story().includes('accepted by the provider, job 812'));
  await room.say('lead', 'restart web-1');
  await room.press('lead', 'Confirm');
  await room.until(() => room.story().includes('@lead not run'));
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [accepted by the provider, job 812]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked and confirmed by @operator · ‹id›
    ## Stop web-1  [not run]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ! not run: web-1 is held by "Restart web-1" (‹id›). Nothing was done; ask again when that has ended.
    · Asked and confirmed by @lead · ‹id›
        @lead not run: web-1 is held by "Restart web-1" (‹id›). Nothing was done; ask again when that has ended.
    (only @lead) Not now: "Restart web-1" is running on it (‹id›). Ask again when that has ended; see /host jobs."
  `);
  room.provider.sim.job({ pk: 812, state: 'done' });
  await room.settle();
  expect(await room.store.locks.list()).toEqual([]);
});

test('a freeze stops actions with its reason, and says so; ending it lets them start again', async () => {
  const room = await openRoom();
  await room.say('operator', 'freeze tag:web "migration of the web tier" for=2h');
  await room.settle();
  await room.say('lead', 'restart web-1');
  await room.say('lead', 'unfreeze');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Freeze tag:web  [done in ‹time›]
    migration of the web tier
    ✓ Frozen: migration of the web tier · in force.
    · Asked by @operator · freeze ‹id› · ‹id›
        @operator Frozen: migration of the web tier · in force.
    (only @lead) Not now: tag:web is frozen until ‹date› UTC: migration of the web tier. See /host freeze list.
    (only @lead) Nothing like that is frozen; see /host freeze list."
  `);
});

test('a flood of requests: told once', async () => {
  const room = await openRoom({ requestsPerMinute: 3 });
  for (let n = 0; n < 6; n++) await room.say('reader', 'version', { replica: 0 });
  expect(room.transcript().match(/Hostler 0/g)).toHaveLength(3);
  expect(room.transcript().match(/more than 3 requests in a minute/g)).toHaveLength(1);
});

test('policy changes are shown as a difference, confirmed by the admin, and audited', async () => {
  const room = await openRoom({ policy: null });
  await room.say('operator', 'access grant everyone operate');
  await room.say('admin', `access grant @${opsGroup} "read operate" on=tag:web`);
  await room.press('admin', 'Confirm');
  await room.settle();
  await room.say('operator', 'restart db-1');
  await room.say('operator', 'access');
  await room.say('admin', 'audit');
  expect(room.story()).toMatchInlineSnapshot(`
    "(only @operator) You may not access grant here: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access. See /host why access grant.
    ## Grant rights here  [done in ‹time›]
    + @S0OPS may read, operate on tag:web
    ✓ The rights are granted · policy version 1.
    · Asked and confirmed by @admin · version 1 · ‹id›
        @admin The rights are granted · policy version 1.
    (only @operator) You may not restart db-1 here: operate is granted here on tag:web, which does not include db-1. See /host why restart db-1.
    (only @operator) ## Who may do what here
    1. @ops may read, operate on tag:web
    safe → none (default)
    routine → confirm (default)
    disruptive → confirm (default)
    dangerous → approve 1 by the admins (default)
    destructive → approve 1 and typing the name by the admins (default)
    solo: no
    · version 1
    (only @admin) You may not audit here: this needs read; no grant in this channel names you. See /host why audit."
  `);
});

test('a channel shared while something runs: it finishes, and its end is told directly', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider, job 812'));
  const channel = room.channels.get('C0OPS');
  if (channel) room.channels.set('C0OPS', { ...channel, isShared: true });
  room.provider.sim.job({ pk: 812, state: 'done' });
  await room.until(() => room.transcript('U0OPERATOR').includes('web-1 restarted'));
  expect(room.transcript('U0OPERATOR')).toContain('@operator web-1 restarted');
  expect(room.posted.filter((message) => message.key.startsWith('end:')).map((message) => message.channel)).toEqual([
    'U0OPERATOR',
  ]);
  // The card says that it ended, and no word of how.
  await room.until(() => room.transcript().includes('who asked was told directly'));
  expect(room.transcript()).not.toContain('power status');
});

test.each(['deactivated', 'guest', 'stranger'] as const)(
  'an approver is %s by the time it runs: the vote is void, and nothing is sent',
  async (standing) => {
    const room = await openRoom({
      policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 2, by } } }),
    });
    room.groups.get(opsGroup)?.add(people.reader ?? '');
    await room.say('operator', 'restart web-1');
    await room.press('reader', 'Approve');
    room.roster.set(people.reader ?? '', { name: 'reader', standing });
    await room.press('lead', 'Approve');
    await room.until(
      () => room.story().includes('no longer counts') && room.story().includes('[waiting for approval]'),
    );
    await room.settle();
    expect(room.story()).toContain('1 of 2 · approved by @lead');
    expect(room.story()).toContain('[waiting for approval]');
    expect(room.sim.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  },
);

test.each([
  ['deactivated', 'is deactivated'],
  ['guest', 'guests have no rights here'],
] as const)('who asked is %s by the time it runs: refused, with the rule', async (standing, words) => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await room.say('operator', 'restart web-1');
  room.roster.set(people.operator ?? '', { name: 'operator', standing });
  await room.press('lead', 'Approve');
  await room.settle();
  expect(room.story()).toMatch(new RegExp(`not run: .*${words}.* Nothing was done\\.`));
  expect(room.sim.requests().filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a lookup that fails counts as no, for who asked and for who approves', async () => {
  const room = await openRoom({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await room.say('operator', 'restart web-1');
  const lead = room.roster.get(people.lead ?? '');
  room.roster.delete(people.lead ?? '');
  await room.press('lead', 'Approve');
  expect(room.transcript()).toContain('You cannot approve this');
  if (lead) room.roster.set(people.lead ?? '', lead);
  room.roster.delete(people.operator ?? '');
  await room.press('lead', 'Approve');
  await room.settle();
  expect(room.transcript()).toContain('[not run]');
  expect(room.sim.requests().filter(({ method }) => method === 'POST')).toEqual([]);
});

test('one delivery of a payload counts, however often it comes, on whichever replica', async () => {
  const room = await openRoom();
  await Promise.all([0, 1, 2].map((replica) => room.say('operator', 'restart web-1', { id: 'env-1', replica })));
  await room.settle();
  expect(room.posted.filter(({ key }) => key.startsWith('card:'))).toHaveLength(1);
  await Promise.all([0, 1, 2].map((replica) => room.press('operator', 'Confirm', { id: 'env-2', replica })));
  await room.settle();
  expect(room.sim.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(room.transcript()).not.toContain('(only');
});
