import { expect, test } from 'vitest';
import {
  approverNotices,
  capabilities,
  defaultRules,
  describeNotice,
  emptyPolicy,
  grantable,
  higherRisk,
  namedIn,
  nextRisk,
  noticeOf,
  policySchema,
  risks,
  ruleFor,
  ruleSchema,
} from '../../../src/core/policy/policy.ts';
import { sayRule } from '../../../src/core/policy/say-rule.ts';
import { plain } from '../../../src/core/view/view.ts';

test('an empty policy grants nothing', () => {
  expect(policySchema.parse({})).toEqual(emptyPolicy);
});

test('missing fields of a policy get their defaults', () => {
  expect(
    policySchema.parse({
      grants: [{ to: ['everyone', 'user:U012', 'group:S012'], can: ['read'] }],
      rules: { dangerous: { approve: 2 }, routine: 'none' },
    }),
  ).toEqual({
    version: 0,
    grants: [{ to: ['everyone', 'user:U012', 'group:S012'], can: ['read'], on: ['all'] }],
    rules: { dangerous: { approve: 2, by: [], typed: false }, routine: 'none' },
    solo: false,
  });
});

const grant = { to: ['everyone'], can: ['read'] };
const subjects = 'everyone, user:U012AB3CD or group:S012AB3CD';
test.each<[what: string, policy: unknown, at: string, words: string]>([
  ['a person by name', { grants: [{ ...grant, to: ['user:operator'] }] }, 'grants.0.to.0', subjects],
  ['a group as a person', { grants: [{ ...grant, to: ['user:S012'] }] }, 'grants.0.to.0', subjects],
  ['a channel', { grants: [{ ...grant, to: ['channel:C012'] }] }, 'grants.0.to.0', subjects],
  ['nobody', { grants: [{ ...grant, to: [] }] }, 'grants.0.to', ''],
  ['no capability', { grants: [{ ...grant, can: [] }] }, 'grants.0.can', ''],
  ['a capability there is not', { grants: [{ ...grant, can: ['everything'] }] }, 'grants.0.can.0', ''],
  ['a pattern without a kind', { grants: [{ ...grant, on: ['web-*'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['a kind without a pattern', { grants: [{ ...grant, on: ['tag:'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['no pattern', { grants: [{ ...grant, on: [] }] }, 'grants.0.on', ''],
  ['a slip in a key', { grant: [grant] }, '', 'Unrecognized key: "grant"'],
  ['a slip in a grant', { grants: [{ ...grant, only: ['all'] }] }, 'grants.0', 'Unrecognized key: "only"'],
  ['a risk there is not', { rules: { harmless: 'none' } }, 'rules', ''],
  ['everyone as approvers', { rules: { dangerous: { approve: 1, by: ['everyone'] } } }, 'rules.dangerous', ''],
  ['no approval at all', { rules: { dangerous: { approve: 0 } } }, 'rules.dangerous.approve', ''],
  ['a word for solo', { solo: 'yes' }, 'solo', ''],
  ['the right of an admin', { grants: [{ ...grant, can: ['admin'] }] }, 'grants.0.can.0', ''],
  ['more than a person', { grants: [{ ...grant, to: ['user:U012,U013'] }] }, 'grants.0.to.0', subjects],
  ['a person behind something', { grants: [{ ...grant, to: ['user:xU012'] }] }, 'grants.0.to.0', subjects],
  ['more than a group', { grants: [{ ...grant, to: ['group:S012 x'] }] }, 'grants.0.to.0', subjects],
  ['a group behind something', { grants: [{ ...grant, to: ['group:xS012'] }] }, 'grants.0.to.0', subjects],
  ['more than all', { grants: [{ ...grant, on: ['all but web-1'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['all behind something', { grants: [{ ...grant, on: ['not all'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['a kind behind something', { grants: [{ ...grant, on: ['my tag:web'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['a pattern of two lines', { grants: [{ ...grant, on: ['tag:a\nb'] }] }, 'grants.0.on.0', 'all, order:…'],
  ['a version below zero', { version: -1 }, 'version', ''],
  ['readers there are not', { reads: 'everybody' }, 'reads', ''],
])('a policy with %s is refused, with the place of the error', (_, policy, at, words) => {
  const parsed = policySchema.safeParse(policy);
  const issues = parsed.error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join('.'))).toContain(at);
  expect(issues.map((issue) => issue.message).join()).toContain(words);
});

test('the error about approvers says that they are people or groups by id', () => {
  const rules = { dangerous: { approve: 1, by: ['everyone'] } };
  const messages = JSON.stringify(policySchema.safeParse({ rules }).error?.issues);
  expect(messages).toContain('user:U012AB3CD or group:S012AB3CD');
  expect(messages).not.toContain('everyone, user:');
});

test('a policy with all fields is read unchanged', () => {
  const written = {
    version: 4,
    grants: [{ to: ['user:W012', 'group:S0A'], can: [...grantable], on: ['all', 'tag:web', 'domain tag:x'] }],
    rules: { safe: 'confirm', routine: 'none', dangerous: { approve: 10, by: ['user:U1', 'group:S1'], typed: true } },
    solo: true,
  };
  for (const reads of ['private', 'public'])
    expect(policySchema.parse({ ...written, reads })).toEqual({ ...written, reads });
});

test('every right but admin can be granted', () => {
  expect([...grantable, 'admin'].sort()).toEqual([...capabilities].sort());
  expect(grantable).not.toContain('admin');
});

test('the next risk is one level higher', () => {
  expect(risks.map(nextRisk)).toEqual(['routine', 'disruptive', 'dangerous', 'destructive', 'destructive']);
});

test('the default rules get stricter with the risk, and name no approvers but the admins', () => {
  expect(defaultRules).toMatchObject({ dangerous: { by: [] }, destructive: { by: [] } });
  expect(risks.map((risk) => plain(sayRule(ruleFor(undefined, risk))))).toEqual([
    'no confirmation',
    'one confirmation',
    'one confirmation',
    'one approval',
    'one approval, with the name typed, then 5 min to stop it',
  ]);
  const policy = policySchema.parse({ rules: { disruptive: { approve: 3, typed: true } } });
  expect(plain(sayRule(ruleFor(policy, 'disruptive')))).toBe('3 approvals, with the name typed');
  expect(plain(sayRule(ruleFor(policy, 'dangerous')))).toBe('one approval');
});

test.each([
  ['confirm', ''],
  [{ approve: 1 }, ''],
  [{ approve: 1, notify: 'mention' }, ''],
  [{ approve: 1, notify: 'dm' }, ', notified by direct message'],
  [{ approve: 1, notify: 'none' }, ', not notified'],
])('the approvers of the rule %j are shown with how they are notified: "%s"', (rule, words) =>
  expect(describeNotice(ruleSchema.parse(rule))).toBe(words),
);

test('a rule says how approvers are notified, and without that it means a mention', () => {
  const rule = { approve: 1, by: [], typed: false };
  expect(ruleSchema.parse(rule)).toEqual(rule);
  expect([rule, 'confirm' as const, 'none' as const].map(noticeOf)).toEqual(['mention', 'mention', 'mention']);
  for (const notify of approverNotices) {
    const read = ruleSchema.parse({ ...rule, notify });
    expect([read, noticeOf(read)]).toEqual([{ ...rule, notify }, notify]);
  }
  expect(() => ruleSchema.parse({ ...rule, notify: 'sms' })).toThrow();
  expect(() => ruleSchema.parse({ ...rule, notify: undefined })).toThrow();
});

test('all groups of a policy are listed once', () => {
  const policy = policySchema.parse({
    grants: [
      { to: ['group:S1', 'user:U1', 'everyone'], can: ['read'] },
      { to: ['group:S2', 'group:S1'], can: ['dns'] },
    ],
    rules: { dangerous: { approve: 1, by: ['group:S3', 'user:U2'] }, safe: 'none' },
  });
  expect(namedIn(policy, 'group')).toEqual(['S1', 'S2', 'S3']);
});

test('a plan can raise a risk, and not lower it', () => {
  expect(higherRisk('routine', 'dangerous')).toBe('dangerous');
  expect(higherRisk('dangerous', 'routine')).toBe('dangerous');
  expect(higherRisk('safe', 'safe')).toBe('safe');
});

test('an answer that a policy asks for names a port, a time, or both', () => {
  const read = (answer: object) => policySchema.safeParse({ answers: [{ on: ['tag:db'], ...answer }] });
  for (const answer of [{ port: 5_432 }, { within: '10m' }, { port: 5_432, within: '30s' }])
    expect(read(answer).success).toBe(true);
  for (const answer of [{}, { port: 0 }, { port: 65_536 }, { within: '29s' }, { within: '2h' }, { within: 'soon' }])
    expect(read(answer).success).toBe(false);
});
