import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { approvals } from '../stories/approvals.ts';
import { tellEach } from '../stories/in-room.ts';
import { openRoom } from '../support/room.ts';
import { ops, opsGroup, people } from '../support/workspace.ts';

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'secrets'] };
const by = [`group:${opsGroup}`];

tellEach(approvals);

test.each([
  [{ isShared: true }, 'this channel is shared with another organisation; its rights rest'],
  [{ isPrivate: false }, 'this channel became public; its rights rest'],
])(
  'a channel that became shared or public: nothing runs until an admin confirms its rights (%o)',
  async (is, words) => {
    const room = await openRoom();
    const channel = room.channels.get(ops);
    if (channel) room.channels.set(ops, { ...channel, ...is });
    await room.say('operator', 'restart web-2');
    expect(room.transcript()).toContain(words);
    await room.say('admin', 'access confirm');
    await room.press('admin', 'Confirm');
    await room.settle();
    await room.say('operator', 'restart web-2');
    await room.settle();
    expect(room.story()).toContain('## Restart web-2  [waiting for confirmation]');
  },
);

test('a flood of requests: told once', async () => {
  const room = await openRoom({ requestsPerMinute: 3 });
  for (let n = 0; n < 6; n++) await room.say('reader', 'version', { replica: 0 });
  expect(room.transcript().match(/Hostler 0/g)).toHaveLength(3);
  expect(room.transcript().match(/more than 3 requests in a minute/g)).toHaveLength(1);
});

test('a channel shared while something runs: it finishes, and its end is told directly', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider, job 812'));
  const channel = room.channels.get(ops);
  if (channel) room.channels.set(ops, { ...channel, isShared: true });
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
    expect(room.writes()).toEqual([]);
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
  expect(room.writes()).toEqual([]);
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
  expect(room.writes()).toEqual([]);
});

test('one delivery of a payload counts, however often it comes, on whichever replica', async () => {
  const room = await openRoom();
  await Promise.all([0, 1, 2].map((replica) => room.say('operator', 'restart web-1', { id: 'env-1', replica })));
  await room.settle();
  expect(room.posted.filter(({ key }) => key.startsWith('card:'))).toHaveLength(1);
  await Promise.all([0, 1, 2].map((replica) => room.press('operator', 'Confirm', { id: 'env-2', replica })));
  await room.settle();
  expect(room.writes()).toHaveLength(1);
  expect(room.transcript()).not.toContain('(only');
});
