import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accountTarget,
  channelTarget,
  domainTarget,
  orderTarget,
  projectTarget,
  type Target,
} from '../../../src/core/account/account.ts';
import {
  covers,
  describeGrant,
  describeSubjects,
  evaluate,
  globOf,
  isCovered,
  matches,
  matchingPatterns,
  type Question,
  rightsOf,
} from '../../../src/core/policy/evaluate.ts';
import type { Actor, ChannelStanding, Membership } from '../../../src/core/policy/membership.ts';
import type { Capability, Grant, Rule } from '../../../src/core/policy/policy.ts';
import { capabilities, defaultRules, risks } from '../../../src/core/policy/policy.ts';
import { plain } from '../../../src/core/view/view.ts';
import { costOf } from '../../support/suite/cost-of.ts';
import {
  admin,
  database,
  exampleCom,
  hidden,
  makePolicy,
  makeQuestion,
  member,
  shop,
  webOne,
  webTwo,
} from '../support.ts';

/** The decision in one line, as a table can hold it. */
function ask(more: Partial<Question>): string {
  const decision = evaluate(makeQuestion(more));
  return decision.allowed ? 'yes' : decision.reason;
}

function grant(can: readonly Capability[], on: readonly string[] = ['all'], to: Grant['to'] = ['everyone']): Grant {
  return { to, can: can.filter((one) => one !== 'admin'), on: [...on] };
}

const everyone = makePolicy({ grants: [grant(['operate'])] });
const byName = makePolicy({ grants: [grant(['operate'], ['all'], ['user:U1'])] });
const byGroup = makePolicy({ grants: [grant(['operate'], ['all'], ['group:S1'])] });

const rows: [Membership, everyone: string, byName: string, byGroup: string][] = [
  ['member', 'yes', 'yes', 'yes'],
  ['guest', 'posture', 'yes', 'posture'],
  ['stranger', 'posture', 'yes', 'posture'],
  ['deactivated', 'posture', 'posture', 'posture'],
  ['bot', 'posture', 'posture', 'posture'],
  ['unknown', 'posture', 'posture', 'posture'],
];
test.each(rows)('a %s has a right that is granted to everyone %s, by id %s, by group %s', (membership, ...expected) => {
  const actor: Actor = { ...member, membership, groups: ['S1'] };
  expect([everyone, byName, byGroup].map((policy) => ask({ actor, policy }))).toEqual(expected);
});

test.each(rows)('a %s who is an admin by configuration keeps the membership that Slack says', (membership) => {
  const actor: Actor = { ...admin, membership };
  const expected = membership === 'member' ? 'yes' : 'posture';
  expect(ask({ actor, capability: 'admin', policy: undefined })).toBe(expected);
});

test.each(['guest', 'stranger'] as const)('a %s is no admin, even when a grant names the id', (membership) => {
  const actor: Actor = { ...admin, id: 'U1', membership };
  expect(ask({ actor, policy: byName, capability: 'operate' })).toBe('yes');
  expect(ask({ actor, policy: byName, capability: 'admin' })).toBe('not_admin');
});

test('a guest named by id has the rights of that grant, and not those of everyone', () => {
  const policy = makePolicy({ grants: [grant(['operate', 'dns']), grant(['read'], ['all'], ['user:U1'])] });
  const actor: Actor = { ...member, membership: 'guest' };
  expect(ask({ actor, policy, capability: 'read' })).toBe('yes');
  expect(ask({ actor, policy, capability: 'operate' })).toBe('not_granted');
});

test('a member belongs to a group only when Slack said so', () => {
  expect(ask({ policy: byGroup })).toBe('not_granted');
  expect(ask({ policy: byGroup, actor: { ...member, groups: ['S2'] } })).toBe('not_granted');
  expect(ask({ policy: byGroup, actor: { ...member, groups: ['S2', 'S1'] } })).toBe('yes');
});

test('in a group direct message nothing is allowed, to an admin neither, and the refusal says where to ask', () => {
  for (const capability of ['none', 'read', 'operate', 'admin'] as const) {
    expect(evaluate(makeQuestion({ channelStanding: 'group_direct', actor: admin, capability }))).toEqual({
      allowed: false,
      reason: 'posture',
      because:
        'Hostler does not work in group direct messages; ask in a channel, or in your own direct message with it',
    });
  }
});

test.each<[ChannelStanding, words: RegExp]>([
  ['shared', /shared with another organization/],
  ['became_public', /became public/],
  ['archived', /archived/],
  ['unknown', /Slack could not say what kind of channel this is/],
])('in a channel that is %s the rights rest, help answers, and an admin restores them', (channelStanding, words) => {
  const decision = evaluate(makeQuestion({ channelStanding }));
  expect(decision).toMatchObject({ allowed: false, reason: 'posture', because: expect.stringMatching(words) });
  expect(ask({ channelStanding, actor: admin })).toBe('posture');
  expect(ask({ channelStanding, capability: 'none' })).toBe('yes');
  expect(ask({ channelStanding, capability: 'admin', actor: admin })).toBe('yes');
  expect(ask({ channelStanding, capability: 'admin' })).toBe('posture');
});

test('without a policy only help is allowed, and an admin may make a policy', () => {
  for (const capability of capabilities) expect(ask({ policy: undefined, capability })).toBe('no_policy');
  expect(ask({ policy: undefined, capability: 'none' })).toBe('yes');
  for (const capability of capabilities) {
    expect(ask({ policy: undefined, capability, actor: admin })).toBe(capability === 'admin' ? 'yes' : 'no_policy');
  }
});

test.each(capabilities)('the right %s includes no other right', (given) => {
  const policy = makePolicy({ grants: [grant([given])] });
  for (const capability of capabilities) {
    // Admins come from the configuration only, not from a policy.
    const expected = capability === 'admin' ? 'not_admin' : capability === given ? 'yes' : 'not_granted';
    expect(ask({ policy, capability }), `${given} asked for ${capability}`).toBe(expected);
  }
});

test.each(capabilities)('an admin does not have the right %s without a grant', (capability) => {
  const policy = makePolicy({ grants: [grant(['read'], ['all'], ['user:U5'])] });
  expect(ask({ policy, capability, actor: admin })).toBe(capability === 'admin' ? 'yes' : 'not_granted');
});

test('a refusal says which rights the person has and which one is missing', () => {
  const policy = makePolicy({ grants: [grant(['read', 'operate']), grant(['operate', 'dns'])] });
  expect(evaluate(makeQuestion({ policy, capability: 'destroy' }))).toMatchObject({
    because: 'you need “destroy”; you have “read”, “operate” and “dns”',
  });
  expect(evaluate(makeQuestion({ policy: makePolicy(), capability: 'destroy' }))).toMatchObject({
    because: 'you need “destroy”; no grant in this channel names you',
  });
});

test('a permission names the grant that covers the target, not the first grant', () => {
  const policy = makePolicy({
    grants: [grant(['operate'], ['tag:data']), grant(['operate', 'dns'], ['tag:web'], ['user:U1', 'group:S1'])],
  });
  const decision = evaluate(makeQuestion({ policy, targets: [orderTarget(webOne)] }));
  expect(plain(decision.because)).toBe('granted to @U1, @S1: operate, dns on tag:web');
  expect(plain(describeGrant(undefined))).toBe('no grant');
});

test('several targets may be covered by several grants, but each must be covered', () => {
  const policy = makePolicy({
    grants: [grant(['operate'], ['tag:web']), grant(['operate'], ['order:db']), grant(['read'], ['all'])],
  });
  const [one, two, db, vault] = [webOne, webTwo, database, hidden].map(orderTarget);
  if (!one || !two || !db || !vault) throw new Error('four targets');
  expect(ask({ policy, targets: [one, two] })).toBe('yes');
  expect(ask({ policy, targets: [one, db, two] })).toBe('yes');
  expect(evaluate(makeQuestion({ policy, targets: [one, vault, db] }))).toMatchObject({
    reason: 'not_granted',
    because: 'you have “operate” here on tag:web, order:db, which does not include vault',
  });
});

test('a decision has the version of the policy, and whether solo is on', () => {
  const policy = makePolicy({ grants: [grant(['operate'])], solo: true, version: 12 });
  expect(evaluate(makeQuestion({ policy }))).toMatchObject({ policyVersion: 12, isSolo: true });
  const without = makeQuestion({ policy: undefined, capability: 'none' });
  expect(evaluate(without)).toMatchObject({ policyVersion: 0, isSolo: false });
});

const web = orderTarget(webOne);
const zone: Target = domainTarget({ name: 'shop.example.com', tags: ['web'] });
const project: Target = projectTarget(shop);
test.each<[pattern: string, web: boolean, zone: boolean, project: boolean]>([
  ['all', true, true, true],
  ['order:34-101', true, false, false],
  ['order:web-1', true, false, false],
  ['order:WEB-*', true, false, false],
  ['order:*', true, false, false],
  ['order:34-10', false, false, false],
  ['tag:web', true, true, false],
  ['tag:fr*t', true, false, false],
  ['tag:we', false, false, false],
  ['project:shop', true, false, true],
  ['project:sh*', true, false, true],
  ['project:blog', false, false, false],
  ['domain:*.example.com', false, true, false],
  ['domain:shop.example.com', false, true, false],
  ['domain:example.com', false, false, false],
  ['domain:web-1', false, false, false],
  ['channel:C1', false, false, false],
  ['account:account', false, false, false],
])('the pattern %s covers the right targets', (pattern, ...expected) => {
  expect([web, zone, project].map((target) => covers([pattern], target))).toEqual(expected);
  // The account and a channel are covered by `all` and by their own pattern.
  expect(covers([pattern], accountTarget)).toBe(pattern === 'all' || pattern === 'account:account');
  expect(covers([pattern], channelTarget('C1'))).toBe(pattern === 'all' || pattern === 'channel:C1');
});

test('a grant on several patterns covers what any of them covers, and a wildcard domain not the domain itself', () => {
  expect(covers(['domain:*.example.com'], domainTarget(exampleCom))).toBe(false);
  expect(covers(['order:db', 'tag:web'], orderTarget(webOne))).toBe(true);
  expect(covers(['order:db', 'tag:data'], orderTarget(webOne))).toBe(false);
  const patterns = ['order:db', 'tag:web', 'all', 'tag:front'];
  expect(matchingPatterns(patterns, orderTarget(webOne))).toEqual(patterns.slice(1));
});

test('a permission on several targets names a grant that covers one of them', () => {
  const others = grant(['operate'], ['tag:nowhere']);
  const policy = makePolicy({ grants: [others, grant(['operate'], ['order:db']), grant(['operate'], ['tag:web'])] });
  const targets = [webOne, database].map((order) => orderTarget(order));
  expect(plain(evaluate(makeQuestion({ policy, targets })).because)).toBe('granted to everyone: operate on order:db');
});

const rights = (more: Partial<Question>) => rightsOf(makeQuestion(more));

test('no grant covers no target, the admin right covers every target, and a grant covers its patterns', () => {
  expect(isCovered(rights({ policy: undefined }), web)).toBe(false);
  expect(isCovered(rights({ policy: makePolicy() }), web)).toBe(false);
  expect(isCovered(rights({ capability: 'none' }), accountTarget)).toBe(true);
  expect(isCovered(rights({ capability: 'admin', actor: admin }), channelTarget('C1'))).toBe(true);
  const policy = makePolicy({ grants: [grant(['operate'], ['tag:web'])] });
  expect(isCovered(rights({ policy }), web)).toBe(true);
  expect(isCovered(rights({ policy }), orderTarget(database))).toBe(false);
});

test('each decision that needs no grant says why', () => {
  const why = (more: Partial<Question>) => plain(evaluate(makeQuestion(more)).because);
  expect(why({ capability: 'none' })).toBe('every member may ask this');
  expect(why({ capability: 'admin', actor: admin })).toBe('you are an admin by configuration');
  expect(why({ capability: 'admin' })).toBe('only an admin (HOSTLER_ADMINS) may do this');
  expect(why({ policy: undefined })).toBe(
    'this channel has no policy, and without one nothing is allowed; an admin makes one with /host access',
  );
});

test('people and groups are listed in their order, and an empty list means the admins', () => {
  const named = [{ user: 'U1' }, ', ', { group: 'S1' }];
  expect(describeSubjects(['everyone', 'user:U1', 'group:S1'])).toEqual(['everyone', ', ', ...named]);
  expect(describeSubjects(['user:U1', 'everyone'])).toEqual([{ user: 'U1' }, ', ', 'everyone']);
  expect(describeSubjects([])).toBe('the admins');
});

test.each(risks)('the risk %s has a default rule, and a policy can have another one', (risk) => {
  const grants = [grant(['operate'])];
  expect(evaluate(makeQuestion({ risk, policy: makePolicy({ grants }) }))).toMatchObject({
    rule: defaultRules[risk],
  });
  const own: Rule = { approve: 3, by: ['group:S1'], typed: true };
  expect(evaluate(makeQuestion({ risk, policy: makePolicy({ grants, rules: { [risk]: own } }) }))).toMatchObject({
    rule: own,
  });
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '*', '.', '-', 'é', '\\', '$', '['), maxLength: 12 });

test('a pattern matches what its regular expression matches', () => {
  const property = fc.property(word, word, (glob, value) => {
    const escaped = glob
      .toLowerCase()
      .split(/(?<!\\)\*/)
      .map((part) => part.replaceAll('\\*', '*').replace(/[^a-z]/g, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`));
    const oracle = new RegExp(`^${escaped.join('[^]*')}$`, 'u');
    expect(matches(glob, value)).toBe(oracle.test(value.toLowerCase()));
  });
  fc.assert(property, { numRuns: 500 });
});

test('a value matches the pattern in which any stretches of it are replaced by *', () => {
  const plainWord = word.map((text) => text.replaceAll(/[*\\]/g, ''));
  fc.assert(
    fc.property(plainWord, fc.array(fc.tuple(plainWord, plainWord), { maxLength: 5 }), (first, pieces) => {
      const glob = first + pieces.map(([, kept]) => `*${kept}`).join('');
      const value = first + pieces.map(([dropped, kept]) => dropped + kept).join('');
      expect(matches(glob, value)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the pattern of a name matches this name and no other, with any signs in it', () => {
  const property = fc.property(word, word, (name, other) => {
    expect(matches(globOf(name), other)).toBe(name.toLowerCase() === other.toLowerCase());
    expect(matches(globOf(name), name)).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});

test('a pattern uses no letter of the value twice', () => {
  const rows = [
    ['*ab*b', 'ab'],
    ['ab*ba', 'aba'],
    ['a*b*b', 'ab'],
    ['*a*', ''],
    ['a*bc*bc*d', 'abcd'],
  ] as const;
  expect(rows.filter(([glob, value]) => matches(glob, value))).toEqual([]);
});

test('a pattern that was made to be slow is matched at once', async () => {
  const work = () => expect(matches('*a'.repeat(200), `${'a'.repeat(5_000)}b`)).toBe(false);
  expect(await costOf(work, 6)).toBeLessThanOrEqual(6);
});

test('`domain tag:` covers domains with the tag and nothing else; `tag:` covers servers and domains', () => {
  const tagged = domainTarget({ name: 'example.com', tags: ['prod'] });
  const server = orderTarget({ ...webOne, tags: ['prod'] });
  expect(covers(['domain tag:pr*'], tagged)).toBe(true);
  expect(covers(['domain tag:prod'], domainTarget({ name: 'prod', tags: ['test'] }))).toBe(false);
  expect(covers(['domain tag:prod'], server)).toBe(false);
  expect([tagged, server].map((target) => covers(['tag:prod'], target))).toEqual([true, true]);
  const policy = makePolicy({ grants: [grant(['dns'], ['domain tag:prod'])] });
  expect(ask({ policy, capability: 'dns', targets: [tagged] })).toBe('yes');
  expect(ask({ policy, capability: 'dns', targets: [domainTarget({ name: 'example.net' })] })).toBe('not_granted');
});
