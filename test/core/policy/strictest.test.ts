import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decision, mayApprove } from '../../../src/core/policy/evaluate.ts';
import type { Actor } from '../../../src/core/policy/membership.ts';
import type { Approval, Rule } from '../../../src/core/policy/policy.ts';
import { strictest } from '../../../src/core/policy/strictest.ts';

type Allowed = Extract<Decision, { allowed: true }>;

const allowed = (rule: Rule, isSolo = false): Decision => ({
  allowed: true,
  because: 'granted',
  rule,
  isSolo,
  policyVersion: 3,
});
const approval = (more: Partial<Approval> = {}): Approval => ({ approve: 1, by: [], typed: false, ...more });
const ruleOf = (first: Rule, ...others: Rule[]) => {
  const decision = strictest([allowed(first), ...others.map((rule) => allowed(rule))], false);
  return decision.allowed ? decision.rule : decision.because;
};

test.each<[readonly [Rule, ...Rule[]], unknown]>([
  [['none', 'none'], 'none'],
  [['none', 'confirm', 'none'], 'confirm'],
  [['confirm', approval()], approval()],
  [
    [approval({ approve: 2 }), approval({ typed: true, reason: true })],
    approval({ approve: 2, typed: true, reason: true }),
  ],
  [
    [approval({ wait: '5m', grace: '1h' }), approval({ wait: '10m', grace: '30m' })],
    approval({ wait: '10m', grace: '30m' }),
  ],
  [[approval({ notify: 'none' }), approval({ notify: 'dm' })], approval({ notify: 'dm' })],
  [[approval({ window: 'night' }), approval()], approval({ window: 'night' })],
  [[approval({ by: ['user:U1', 'group:S1'] }), approval({ by: ['group:S1'] })], approval({ by: ['group:S1'] })],
  [
    [approval({ window: 'night' }), approval({ window: 'noon' })],
    'its lines begin only in different maintenance windows: night and noon',
  ],
])('%j together are %j', (rules, together) => {
  expect(ruleOf(...rules)).toEqual(together);
});

test('the first refusal is the decision', () => {
  const denied: Decision = { allowed: false, reason: 'not_granted', because: 'no' };
  expect(strictest([allowed('none'), denied, allowed(approval())], true)).toBe(denied);
});

const subject = fc.constantFrom<Approval['by'][number]>('user:U1', 'user:U2', 'group:S1', 'group:S2');
const anyApproval = fc.record({
  approve: fc.integer({ min: 1, max: 3 }),
  by: fc.uniqueArray(subject),
  typed: fc.boolean(),
});
const anyRule = fc.oneof(fc.constantFrom<Rule>('none', 'confirm'), anyApproval);
const anyActor = fc.record({
  id: fc.constantFrom('U1', 'U2', 'U3'),
  membership: fc.constantFrom<Actor['membership']>('member', 'guest', 'deactivated'),
  groups: fc.uniqueArray(fc.constantFrom('S1', 'S2')),
  isAdmin: fc.boolean(),
  isHere: fc.constant(true),
});

test('a person who may approve all of a plan may approve each of its parts, and fewer approvals never suffice for the whole', () => {
  const parts = fc.array(fc.record({ rule: anyRule, isSolo: fc.boolean() }), { minLength: 1, maxLength: 4 });
  const property = fc.property(parts, anyActor, anyActor, (each, voter, asker) => {
    const requester = { ...asker, isAdmin: asker.id === voter.id ? voter.isAdmin : asker.isAdmin };
    const [first, ...others] = each.map(({ rule, isSolo }) => allowed(rule, isSolo));
    const whole = strictest([first as Allowed, ...(others as Allowed[])], requester.isAdmin);
    if (!whole.allowed) return;
    for (const { rule, isSolo } of each) {
      const [needs, has] = [rule, whole.rule].map((some) =>
        typeof some === 'object' ? some.approve : Number(some === 'confirm') / 2,
      );
      expect(has).toBeGreaterThanOrEqual(needs ?? 0);
      const isApproval = typeof rule === 'object' && typeof whole.rule === 'object';
      if (isApproval && mayApprove(whole.rule, voter, requester.id, whole.isSolo).ok)
        expect(mayApprove(rule, voter, requester.id, isSolo).ok).toBe(true);
    }
  });
  fc.assert(property);
});
