import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { openRoom } from '../support/room.ts';
import { people } from '../support/workspace.ts';

// Each ending of an operation, as the channel reads it.

test('withdrawn: who asked presses Cancel, and nothing was sent', async () => {
  const room = await openRoom();
  await room.say('operator', 'stop web-1');
  await room.press('operator', 'Cancel');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Stop web-1  [withdrawn]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    i withdrawn. Nothing was done.
    · Asked by @operator · ‹id›"
  `);
  expect(room.sim.requests().filter((request) => request.method === 'POST')).toEqual([]);
});

test('expired: nobody confirms in a quarter of an hour', async () => {
  const room = await openRoom();
  await room.say('operator', 'stop web-1');
  await room.settle();
  await room.pass(16 * 60_000);
  await room.until(() => room.story().includes('expired'));
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(
    `
    "## Stop web-1  [expired]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    i expired: nobody confirmed it in time. Nothing was done.
    · Asked by @operator · ‹id›
        @operator expired: nobody confirmed it in time. Nothing was done."
  `,
  );
});

test('a button of a closed card answers with how it ended', async () => {
  const room = await openRoom();
  await room.say('operator', 'stop web-1');
  await room.settle();
  const [card] = room.posted;
  const old = card?.view.parts.find((part) => part.kind === 'buttons')?.buttons[0];
  await room.press('operator', 'Cancel');
  await room.settle();
  if (!old) throw new Error('no button');
  await room.click('operator', old);
  expect(room.transcript()).toContain('(only @operator) Closed: Stop web-1');
});

test('failed: the provider says no, in its own words', async () => {
  const room = await openRoom();
  room.sim.fault({
    kind: 'answer',
    match: 'POST /vps/{order_id}/restart/',
    status: 409,
    body: { detail: 'Another operation is in progress.' },
    times: 1,
  });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [failed]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✕ Restart web-1: the provider answered 409: Another operation is in progress. Nothing was changed.
    · Asked and confirmed by @operator · ‹id›
        @operator Restart web-1: the provider answered 409: Another operation is in progress. Nothing was changed."
  `);
});

test('failed: the job ends in error', async () => {
  const room = await openRoom();
  room.sim.fault({ kind: 'nextJob', end: 'error', times: 1 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [failed]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✕ Restart web-1: job 812 ended in error. The provider says: The hypervisor did not answer in time. See /host status 34-12345 for how it stands.
    · Asked and confirmed by @operator · job 812 · ‹id›
        @operator Restart web-1: job 812 ended in error. The provider says: The hypervisor did not answer in time. See /host status 34-12345 for how it stands."
  `);
});

test('unknown: the answer is lost, nothing is sent again, and reading settles what it can', async () => {
  const room = await openRoom();
  room.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  await room.say('operator', 'stop web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Stop web-1  [done in ‹time›]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✓ web-1 stopped · power status: off.
    · Asked and confirmed by @operator · ‹id›
    [Undo]
        ! The provider did not answer in time, so I do not know whether this was taken: Stop web-1. I have not sent it again. I am reading how things stand now and will say here what I find.
        @operator web-1 stopped · power status: off."
  `);
  expect(room.sim.requests().filter((request) => request.path.endsWith('/stop/'))).toHaveLength(1);
});

test('unknown: a restart whose answer is lost cannot be told by reading, and says so', async () => {
  const room = await openRoom({ pace: 0.001 });
  room.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [unknown]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ! Restart web-1: the provider's answer was lost and reading does not settle whether it was taken. web-1 is on now; whether it restarted cannot be read. It was sent once and not again.
    · Asked and confirmed by @operator · ‹id›
        ! The provider did not answer in time, so I do not know whether this was taken: Restart web-1. I have not sent it again. I am reading how things stand now and will say here what I find.
        @operator Restart web-1: the provider's answer was lost and reading does not settle whether it was taken. web-1 is on now; whether it restarted cannot be read. It was sent once and not again."
  `);
  expect(room.sim.requests().filter((request) => request.path.endsWith('/restart/'))).toHaveLength(1);
});

test('declined with a reason, by somebody who may', async () => {
  const room = await openRoom({
    policy: policySchema.parse({
      grants: [{ to: [`user:${people.operator}`], can: ['read', 'operate'] }],
      rules: { disruptive: { approve: 1, by: [`user:${people.lead}`] } },
    }),
  });
  await room.say('operator', 'stop web-1');
  const form = await room.open('lead', { button: 'Decline…' });
  expect(await room.submit('lead', form, { words: 'the release is running' })).toEqual({ kind: 'accepted' });
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Stop web-1  [declined]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    i declined by @lead: the release is running. Nothing was done.
    · Asked by @operator · 0 of 1 · ‹id›
        @operator declined by @lead: the release is running. Nothing was done."
  `);
});

test('refused: a channel without a policy can do nothing, and says who can change that', async () => {
  const room = await openRoom({ policy: null });
  await room.say('operator', 'restart web-1');
  await room.say('operator', '');
  expect(room.story()).toMatchInlineSnapshot(`
    "(only @operator) You may not restart web-1 here: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access. See /host why restart web-1.
    (only @operator) You have no rights here yet: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access.
    Admins who can change that: @admin.
    [Help]"
  `);
});

test('refused: not granted, and why', async () => {
  const room = await openRoom();
  await room.say('reader', 'restart web-1');
  await room.say('reader', 'why restart web-1');
  await room.say('operator', 'why restart web-1');
  await room.say('guest', 'status web-1');
  expect(room.story()).toMatchInlineSnapshot(`
    "(only @reader) You may not restart web-1 here: this needs operate; you hold: read. See /host why restart web-1.
    (only @reader) ## You may not restart web-1 here
    Needs: operate
    Decided by: this needs operate; you hold: read
    Risk: disruptive
    Policy: version 1
    (only @operator) ## You may restart web-1 here
    Needs: operate
    Decided by: granted: @ops may read, billing, operate, dns, organize, destroy, secrets, spend on all
    Risk: disruptive
    Rule: disruptive → confirm
    Policy: version 1
    (only @guest) You may not status web-1 here: guests have no rights here unless a grant names them by id. See /host why status web-1."
  `);
});

test('not understood, ambiguous, missing', async () => {
  const room = await openRoom();
  await room.say('operator', 'restrt web-1');
  await room.say('operator', 'restart web');
  await room.say('operator', 'restart');
  expect(room.story()).toMatchInlineSnapshot(`
    "(only @operator) I don't know restrt. Did you mean /host restart web-1?
    [Run it]
    (only @operator) web is not one server: web-1 (34-12345), web-2 (34-12399) and web-3 (34-12407). Which one?
    [web-1] [web-2] [web-3] [all of them]
    (only @operator) restart also needs servers: /host restart <servers…> [parallel=…]
    [Fill in]"
  `);
});

test('done, not verified: the job is done, and reading does not show it', async () => {
  const room = await openRoom({ pace: 0.001, jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider, job 812'));
  room.sim.fault({
    kind: 'answer',
    match: 'GET /vps/{order_id}/status/',
    status: 200,
    body: { power_status: 'unknown' },
  });
  room.sim.job({ pk: 812, state: 'done' });
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [done, not verified]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ! web-1 restarted, as far as the provider says, but I could not verify it: power status: unknown.
    · Asked and confirmed by @operator · job 812 · ‹id›
        @operator web-1 restarted, as far as the provider says, but I could not verify it: power status: unknown."
  `);
});

test('expired: nobody approves in a day; in a quarter of an hour it is not', async () => {
  const room = await openRoom();
  await room.say('operator', 'hard-reset web-1');
  await room.settle();
  await room.pass(16 * 60_000);
  expect(room.story()).toContain('[waiting for approval]');
  await room.pass(24 * 3_600_000);
  await room.until(() => room.story().includes('[expired]'), 'the end of the day');
  await room.settle();
  expect(room.story()).toContain('    @operator expired: nobody approved it in time. Nothing was done.');
  expect(room.sim.requests().filter((request) => request.method === 'POST')).toEqual([]);
});

test('the provider is away while a job runs: it is waited for, and the end is told', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider, job 812'));
  room.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
  const before = room.sim.requests().length;
  await room.until(() => room.sim.requests().length > before + 3, 'several looks in vain');
  room.sim.job({ pk: 812, state: 'done' });
  room.sim.clearFaults();
  await room.settle();
  expect(room.story()).toContain('@operator web-1 restarted');
});

test('failed: the answer is lost, and reading shows that it was not taken', async () => {
  const room = await openRoom({ pace: 0.001 });
  room.sim.fault({ kind: 'drop', match: 'POST /vps/{order_id}/stop/', times: 1 });
  await room.say('operator', 'stop web-1');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Stop web-1  [failed]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✕ Stop web-1: the answer was lost, and reading shows that it was not taken: power status: on. Ask again if you still want it.
    · Asked and confirmed by @operator · ‹id›
        ! The provider did not answer in time, so I do not know whether this was taken: Stop web-1. I have not sent it again. I am reading how things stand now and will say here what I find.
        @operator Stop web-1: the answer was lost, and reading shows that it was not taken: power status: on. Ask again if you still want it."
  `);
  expect(room.sim.requests().filter((request) => request.path.endsWith('/stop/'))).toHaveLength(1);
  expect(await room.store.locks.list()).toEqual([]);
});
