import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { usualPolicy } from '../support/policy.ts';
import { openRoom } from '../support/room.ts';
import { ops, opsGroup, people } from '../support/workspace.ts';

// Between a decision and the write lies a moment in which everything may have become otherwise.

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'dns'] };
const by = [`group:${opsGroup}`];
const minute = 60_000;

test('a void vote stays void although what followed it went wrong once', async () => {
  const room = await openRoom({
    replicas: 1,
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 2, by } } }),
  });
  room.groups.get(opsGroup)?.add(people.reader ?? '');
  await room.say('operator', 'restart web-1');
  await room.press('reader', 'Approve');
  room.groups.get(opsGroup)?.delete(people.reader ?? '');
  // The database hiccups exactly between the void vote and the reopened card.
  const { operations } = room.store;
  const { move } = operations;
  let hiccups = 0;
  operations.move = async (id, from, to, patch) => {
    if (from === 'approved' && to === 'waiting' && hiccups++ === 0) throw new Error('a hiccup');
    return move(id, from, to, patch);
  };
  await room.press('lead', 'Approve');
  await room.until(() => hiccups > 0);
  await room.pass(10_000);
  await room.until(() => hiccups > 1 && room.story().includes('[waiting for approval]'));
  expect(room.story()).toContain('The approval of @reader no longer counts');
  expect(room.writes()).toEqual([]);
});

test('a target is held before it is looked at, so that nobody changes it in between', async () => {
  const room = await openRoom({ replicas: 1 });
  await room.say('operator', 'restart web-1');
  room.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 200, times: 1 });
  room.sim.clearRequests();
  await room.press('operator', 'Confirm');
  await room.sim.waitForRequest((request) => request.path.endsWith('/status/'));
  expect((await room.store.locks.list()).map((lock) => lock.reason)).toEqual(['Restart web-1']);
  await room.settle();
  expect(await room.store.locks.list()).toEqual([]);
});

test('decided, and nobody there to run it for three days: it does not run by surprise', async () => {
  const room = await openRoom({ replicas: 1 });
  await room.say('operator', 'restart web-1');
  await room.settle();
  const [waiting] = await room.store.operations.open();
  await room.store.votes.cast({ operationId: waiting?.id ?? '', userId: people.operator ?? '', vote: 'confirm' });
  await room.store.operations.move(waiting?.id ?? '', 'waiting', 'approved');
  await room.pass(3 * 24 * 60 * minute);
  await room.settle();
  expect(room.story()).toContain('not run: it was decided while I was away, and too long ago to run by surprise.');
  expect(room.writes()).toEqual([]);
});

test('a click that comes after the request has expired, before anybody noticed', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  await room.settle();
  room.skip(16 * minute);
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toContain('expired: nobody confirmed it in time. Nothing was done.');
  expect(room.story()).toContain('(only @operator) Closed: Restart web-1');
  expect(room.writes()).toEqual([]);
  const ends = (await room.store.audit.list({ limit: 20 })).filter((line) => line.kind === 'expired');
  expect(ends).toHaveLength(1);
});

test('the rule became stricter after the card was posted: the new one asks', async () => {
  const loose = policySchema.parse({ grants: [operate], rules: { disruptive: 'confirm' } });
  const room = await openRoom({ policy: loose });
  await room.say('operator', 'restart web-1');
  await room.savePolicy(
    ops,
    { ...loose, rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`], typed: false } } },
    1,
  );
  await room.press('operator', 'Confirm', { first: true });
  await room.settle();
  expect(room.story()).toContain('not run: the rule of this channel changed after it was approved: approve 1.');
  expect(room.story()).toContain('rule: disruptive → approve 1');
  expect(room.writes()).toEqual([]);
});

test('commands about a channel guess none in a direct message', async () => {
  const room = await openRoom();
  const place = { channel: 'D0OPERATOR', kind: 'dm' } as const;
  await room.say('operator', 'freeze here "lunch"', { place });
  await room.say('admin', 'access solo --on', { place });
  expect(room.transcript('D0OPERATOR')).toContain('freeze is about a channel. Type it in the channel that you mean.');
  expect(room.transcript('D0OPERATOR')).toContain('access solo is about a channel.');
  expect(await room.store.freezes.active(room.now())).toEqual([]);
});

test('jobs tells of other channels only what one may read', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider'));
  const elsewhere = 'C0CLIENT';
  room.channels.set(elsewhere, {
    id: elsewhere,
    name: 'client',
    isPrivate: false,
    isShared: false,
    isArchived: false,
    hasBot: true,
  });
  const narrow = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'], on: ['tag:nothing'] }] });
  await room.savePolicy(elsewhere, narrow);
  await room.say('reader', 'jobs', { place: { channel: elsewhere, kind: 'channel' } });
  expect(room.transcript(elsewhere)).toContain('Nothing is running.');
  await room.say('reader', 'jobs');
  expect(room.transcript()).toContain('Restart web-1 │ running');
  room.sim.advance(60_000);
  await room.settle();
  await room.say('reader', 'jobs');
  expect(room.transcript()).toContain('Nothing is running.');
});

test('a form that was accepted outlives the process, and sent twice it makes one request', async () => {
  const room = await openRoom({ replicas: 1, engine: 'sqlite', headersTimeoutMs: 10_000 });
  const form = await room.open('operator', { line: 'dns add example.com' });
  const values = { domain: ['example.com'], host: 'late', type: 'A', value: '192.0.2.44' };
  // Slower than the two seconds in which errors stand at their fields.
  room.sim.fault({ kind: 'delay', match: 'GET /dns/domain/{name}/entry_set/', ms: 2_500, times: 2 });
  const sent = [room.submit('operator', form, values), room.submit('operator', form, values)];
  expect(await Promise.all(sent)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  await room.crash();
  await room.until(() => room.story().includes('[waiting for confirmation]'));
  await room.settle();
  expect((await room.store.operations.list({ limit: 10 })).map((row) => row.state)).toEqual(['waiting']);
});

test('a form whose button is pressed twice makes one request, and nobody is told to wait for themselves', async () => {
  const policy = usualPolicy(opsGroup);
  const room = await openRoom({ policy: { ...policy, rules: { ...policy.rules, disruptive: 'none' } }, jobMs: minute });
  const form = await room.open('operator', { line: 'restart' });
  const press = () => room.submit('operator', form, { servers: 'web-1' });
  expect(await Promise.all([press(), press()])).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  await room.until(() => room.writes().length > 0, 'the restart');
  room.sim.advance(minute);
  await room.settle();

  const another = await room.open('operator', { line: 'restart' });
  // One of them reads until the other is under way.
  room.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 1_000, times: 1 });
  const both = [1, 2].map(() => room.submit('operator', another, { servers: 'web-1' }));
  expect(await Promise.all(both)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  expect(await room.store.locks.list()).toHaveLength(1);
  room.sim.advance(minute);
  await room.settle();
  expect(room.writes()).toHaveLength(2);
  expect(room.posted.filter(({ onlyFor }) => onlyFor !== undefined)).toEqual([]);
  expect(room.log.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('a turn that only ever goes wrong ends, and says that it is our fault', async () => {
  const room = await openRoom({ replicas: 1 });
  await room.say('operator', 'restart web-1');
  const { steps } = room.store;
  const { list } = steps;
  await room.settle();
  let isBroken = true;
  steps.list = async (id) => {
    const found = await list(id);
    return isBroken ? found.map((step) => ({ ...step, data: 'written by a version that nobody knows' })) : found;
  };
  await room.press('operator', 'Confirm');
  await room.until(() => room.log.some((line) => line.includes('a turn of an operation went wrong')));
  await room.pass(3 * minute);
  await room.until(() => room.log.some((line) => line.includes('is given up')));
  isBroken = false;
  await room.settle();
  expect(room.story()).toMatch(
    /Restart web-1: something is wrong on my side\. .* incident [0-9a-f]{8}\. Nothing was sent\./,
  );
  expect(await room.store.locks.list()).toEqual([]);
  expect(room.writes()).toEqual([]);
});
