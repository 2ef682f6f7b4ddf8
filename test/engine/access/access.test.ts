import { describe, expect, test } from 'vitest';
import { accountTarget, type Target } from '../../../src/core/account/account.ts';
import type { ChannelStanding, Membership } from '../../../src/core/policy/membership.ts';
import { emptyPolicy, type Policy } from '../../../src/core/policy/policy.ts';
import { accessOf } from '../../../src/engine/access/access.ts';
import { allowedNames } from '../../../src/engine/access/allowed-names.ts';
import type { AnyCommand } from '../../../src/engine/context/dependencies.ts';

// The rights of a person in a channel, from the facts of Slack and the policy, and the names that the person may read.

const web: Target = { kind: 'order', id: '34-1', name: 'web-1', tags: [], project: null };
const db: Target = { ...web, id: '34-2', name: 'db-1' };
const policy: Policy = {
  ...emptyPolicy,
  version: 4,
  grants: [
    { to: ['group:S1'], can: ['operate'], on: ['all'] },
    { to: ['everyone'], can: ['read', 'operate'], on: ['order:web-*'] },
  ],
};

interface Given {
  readonly policy?: Policy | undefined;
  readonly membership?: Membership;
  readonly channelStanding?: ChannelStanding;
  readonly members?: Readonly<Record<string, readonly string[]>>;
  readonly alsoGroups?: readonly string[];
  readonly user?: string;
  readonly isHere?: boolean | undefined;
}

/**
 * A group that is not among the members cannot be looked up, nor can a person of an unknown membership; an undefined
 * `isHere` is a list of members that cannot be.
 */
async function open({
  membership = 'member',
  channelStanding = 'ok',
  members = { S1: [] },
  alsoGroups,
  user = 'U1',
  ...given
}: Given = {}) {
  const asked: unknown[] = [];
  /** Notes the question, and refuses to answer with undefined. */
  const answered = <T>(question: readonly unknown[], answer: T | undefined): T => {
    asked.push(question);
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  const directory = {
    person: async (...question: unknown[]) => answered(question, membership === 'unknown' ? undefined : { membership }),
    groupMembers: async (group: string, maxAgeMs?: number) =>
      answered([group, maxAgeMs], members[group] && new Set(members[group])),
    isInChannel: async (channel: string, person: string, maxAgeMs?: number) =>
      answered([`members of ${channel}`, maxAgeMs], 'isHere' in given ? given.isHere : person === user),
  };
  const here = async (channel: string) => ({
    policy: 'policy' in given ? given.policy : policy,
    standing: async (maxAgeMs?: number) => answered([channel, maxAgeMs], channelStanding),
  });
  // All that it touches.
  const context = { policies: { here }, directory, settings: { admins: ['U9'] } };
  const access = await accessOf(context as unknown as Parameters<typeof accessOf>[0], user, 'C1', 5_000, alsoGroups);
  return { access, asked };
}

describe('the access of a person', () => {
  test('includes the grants to everybody and to the groups of the person', async () => {
    const { access, asked } = await open({ members: { S1: ['U2'] } });
    expect(access).toMatchObject({ channel: 'C1', policy, isUnsure: false });
    expect(access.actor).toEqual({ id: 'U1', membership: 'member', groups: [], isAdmin: false, isHere: true });
    expect(access.hasCapability('admin')).toBe(false);
    // Only people of the configuration are admins.
    const admin = (await open({ user: 'U9' })).access;
    expect([admin.actor.isAdmin, admin.hasCapability('admin')]).toEqual([true, true]);
    const rights = [access.may('operate', web), access.may('operate', db), access.may('dns', web)];
    expect(rights).toEqual([true, false, false]);
    expect([access.hasCapability('operate'), access.hasCapability('dns')]).toEqual([true, false]);
    // All four are read with the maximum age of the question.
    expect(asked.toSorted()).toEqual([
      ['C1', 5_000],
      ['S1', 5_000],
      ['U1', 5_000],
      ['members of C1', 5_000],
    ]);
    const member = await open({ members: { S1: ['U2', 'U1'] } });
    expect(member.access.actor.groups).toEqual(['S1']);
    expect(member.access.may('operate', db)).toBe(true);
  });

  test('includes a grant to everyone only while the person is in the channel, and Slack is asked only for such a grant', async () => {
    const outside = await open({ isHere: false, members: { S1: ['U1'] } });
    expect(outside.access.isUnsure).toBe(false);
    expect([outside.access.may('read', web), outside.access.may('operate', db)]).toEqual([false, true]);
    expect(outside.access.decide('read', 'safe', [web])).toMatchObject({
      reason: 'not_granted',
      because: 'everyone in this channel may do it, and you are not in it',
    });
    const unsaid = await open({ isHere: undefined });
    expect([unsaid.access.isUnsure, unsaid.access.may('read', web)]).toEqual([true, false]);
    expect(unsaid.access.decide('read', 'safe', [web])).toMatchObject({
      reason: 'posture',
      because: 'Slack could not say whether you are in this channel, so the request is refused',
    });
    const [toGroup] = policy.grants;
    const narrow = await open({ policy: { ...policy, grants: toGroup === undefined ? [] : [toGroup] } });
    expect(narrow.access.isUnsure).toBe(false);
    expect(narrow.asked).not.toContainEqual(['members of C1', 5_000]);
  });

  test('includes requested groups that the policy does not name, each once', async () => {
    const { access, asked } = await open({ members: { S1: [], S2: ['U1'] }, alsoGroups: ['S2', 'S1'] });
    expect(access.actor.groups).toEqual(['S2']);
    expect(asked.filter((one) => String(one).startsWith('S'))).toEqual([
      ['S1', 5_000],
      ['S2', 5_000],
    ]);
    const without = await open({ policy: undefined, members: { S2: ['U1'] }, alsoGroups: ['S2'] });
    expect(without.access.actor.groups).toEqual(['S2']);
  });

  test('is nothing without a policy, and in a channel whose rights rest', async () => {
    const none = await open({ policy: undefined });
    expect([none.access.actor.groups, none.access.may('read', web), none.access.isUnsure]).toEqual([[], false, false]);
    const shared = await open({ channelStanding: 'shared' });
    expect([shared.access.isUnsure, shared.access.may('read', web)]).toEqual([false, false]);
  });

  test('is computed once for each right, since a long list asks for it once per row', async () => {
    let reads = 0;
    const counted = {
      ...policy,
      get grants() {
        reads += 1;
        return policy.grants;
      },
    };
    const { access } = await open({ policy: counted });
    access.may('operate', web);
    const before = reads;
    expect([access.may('operate', db), access.hasCapability('operate')]).toEqual([false, true]);
    expect(reads).toBe(before);
    access.may('read', web);
    expect(reads).toBe(before + 1);
  });

  test('decides with the rule and the version of the policy', async () => {
    const { access } = await open();
    const decided = { allowed: true, rule: 'confirm', isSolo: false, policyVersion: 4 };
    expect(access.decide('operate', 'routine', [web])).toMatchObject(decided);
    expect(access.decide('operate', 'safe', [web])).toMatchObject({ ...decided, rule: 'none' });
    expect(access.decide('none', 'safe', [])).toMatchObject({ allowed: true, because: 'every member may ask this' });
  });

  test.each([
    ['a server that they may read', [{ to: ['everyone'], can: ['read'], on: ['all'] }], db, 'db-1'],
    ['a server that they may not read', [], db, 'it'],
    ['the account', [], accountTarget, 'the account'],
  ] as const)('names %s in a denial only when the person may read the name', async (_, more, target, name) => {
    const grants: Policy['grants'] = [{ to: ['everyone'], can: ['operate'], on: ['order:web-*'] }];
    for (const { to, can, on } of more) grants.push({ to: [...to], can: [...can], on: [...on] });
    const { access } = await open({ policy: { ...policy, grants } });
    expect(access.decide('operate', 'routine', [target])).toMatchObject({
      allowed: false,
      because: expect.stringMatching(new RegExp(`does not include ${name}$`)),
    });
  });
});

describe('the membership of a person', () => {
  test.each<[string, Given]>([
    ['the person', { membership: 'unknown' }],
    ['a group of the policy', { members: {} }],
    ['the channel', { channelStanding: 'unknown' }],
  ])('where %s could not be looked up, a denial may be wrong', async (what, given) => {
    const { access } = await open(given);
    expect(access.isUnsure).toBe(true);
    expect(access.actor.groups).toEqual([]);
    expect(access.may('operate', db)).toBe(false);
    expect(access.may('operate', web)).toBe(what === 'a group of the policy');
  });
});

describe('the names of targets in words that a person may read', () => {
  const command = {
    args: { reason: { needsAccount: false }, server: { needsAccount: true }, tag: { needsAccount: true } },
  } as unknown as AnyCommand;
  const of = (names: readonly string[]) => names.map((name, n) => ({ ...web, id: `34-${n}`, name }));
  const say = async (targets: readonly Target[], raw: Record<string, readonly string[]> = {}) =>
    allowedNames((await open()).access, targets, { command, raw });

  test('are the first three names where they may read all of them', async () => {
    expect(await say(of(['web-1', 'web-2', 'web-3', 'web-4']))).toBe('web-1, web-2, web-3');
  });

  test('leave out the account and the channel, which everybody may know', async () => {
    const channel: Target = { ...web, kind: 'channel', id: 'C1', name: 'ops' };
    expect(await say([accountTarget, channel, ...of(['web-1'])])).toBe('web-1');
  });

  test('are otherwise the first three typed words that name something in the account', async () => {
    const raw = { reason: ['because'], server: ['db-*', 'web-1'], tag: ['prod', 'more'] };
    expect(await say(of(['web-1', 'db-1']), raw)).toBe('db-*, web-1, prod');
    expect(await say(of(['db-1']))).toBe('');
    expect(await say(of(['db-1']), { server: ['x'.repeat(201)] })).toBe('x'.repeat(200));
  });
});
