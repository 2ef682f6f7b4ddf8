import { expect, test } from 'vitest';
import { mayApprove } from '../../../src/core/policy/evaluate.ts';
import type { Actor, Membership } from '../../../src/core/policy/membership.ts';
import type { Rule } from '../../../src/core/policy/policy.ts';
import { plain } from '../../../src/core/view/view.ts';
import { admin, member } from '../support.ts';

const requester = 'U1';
const colleague: Actor = { ...member, id: 'U2' };
const byAdmins: Rule = { approve: 1, by: [], typed: false };
const byLeads: Rule = { approve: 2, by: ['group:S1', 'user:U7'], typed: true };
const lead: Actor = { ...colleague, groups: ['S1'] };
const named: Actor = { ...colleague, id: 'U7' };

function answer(rule: Rule, approver: Actor, isSolo = false): string {
  const result = mayApprove(rule, approver, requester, isSolo);
  return result.ok ? 'yes' : plain(result.because);
}

const approvers = 'only an approver of this channel may do this';
const others = 'you asked for this, so somebody else must approve';

test.each(['none', 'confirm'] as const)('under the rule %s only the person who asked can confirm', (rule) => {
  expect(answer(rule, member)).toBe('yes');
  expect(answer(rule, colleague)).toBe('only the person who asked can confirm this');
  expect(answer(rule, admin)).toBe('only the person who asked can confirm this');
});

test('a guest who was allowed to ask can confirm, and a person who was deactivated meanwhile cannot', () => {
  const rows: [Membership, RegExp][] = [
    ['guest', /^yes$/],
    ['stranger', /^yes$/],
    ['deactivated', /deactivated/],
    ['bot', /may not use Hostler/],
    ['unknown', /Slack could not say who this is/],
  ];
  for (const [membership, expected] of rows) expect(answer('confirm', { ...member, membership })).toMatch(expected);
});

const rows: [who: string, Actor, byAdmins: string, byLeads: string][] = [
  ['a colleague nobody named', colleague, approvers, approvers],
  ['a member of the named group', lead, approvers, 'yes'],
  ['a person named by id', named, approvers, 'yes'],
  ['an admin', admin, 'yes', 'yes'],
  ['the person who asked', member, others, others],
  ['the person who asked, being an admin', { ...admin, id: requester }, others, others],
  ['the person who asked, being a lead', { ...lead, id: requester }, others, others],
];
test.each(rows)('%s can approve only where the rule allows it', (_, approver, ...expected) => {
  expect([answer(byAdmins, approver), answer(byLeads, approver)]).toEqual(expected);
});

test('solo lets the person who asked approve, unless the rule names approvers without that person', () => {
  expect(answer(byAdmins, member, true)).toBe('yes');
  expect(answer(byLeads, member, true)).toBe('only an approver of this channel may do this');
  expect(answer(byLeads, { ...lead, id: requester }, true)).toBe('yes');
  expect(answer(byLeads, { ...admin, id: requester }, true)).toBe('yes');
});

test('solo changes nothing for other people', () => {
  for (const [, approver] of rows.slice(0, 4)) {
    expect(answer(byLeads, approver, true)).toBe(answer(byLeads, approver, false));
  }
});

test.each(['guest', 'stranger'] as const)('a %s can approve only when the rule names the user id', (membership) => {
  expect(answer(byLeads, { ...named, membership })).toBe('yes');
  expect(answer(byLeads, { ...lead, membership })).toMatch(/cannot use Hostler here unless an admin adds them by name/);
  expect(answer(byAdmins, { ...admin, membership })).toMatch(/cannot use Hostler here unless/);
});

test.each(['deactivated', 'bot', 'unknown'] as const)(
  'a person whose membership is %s can never approve, also when named, an admin or under solo',
  (membership) => {
    for (const approver of [named, lead, admin, member]) {
      for (const rule of [byLeads, byAdmins, 'confirm'] as const) {
        expect(answer(rule, { ...approver, membership }, true)).not.toBe('yes');
      }
    }
  },
);
