import { describe, expect, test } from 'vitest';
import { accountTarget, type Target } from '../../src/core/account/account.ts';
import type { Demand } from '../../src/core/policy/demands.ts';
import type { Decision } from '../../src/core/policy/evaluate.ts';
import { emptyPolicy, type Policy, type Rule } from '../../src/core/policy/policy.ts';
import { decideOnPlan, type PlanDecision } from '../../src/engine/access/decide-plan.ts';
import { maySeeFor } from '../../src/engine/access/may-see.ts';
import type { Access } from '../../src/engine/context/access-port.ts';

// The rule for a plan after which grants of other channels would include more.

type Approval = Exclude<Rule, string>;
const approve = (own: Partial<Approval> = {}): Approval => ({ approve: 1, by: [], typed: false, ...own });
const target: Target = { ...accountTarget, kind: 'order', id: '34-1' };

/** The requesting channel is C0; `others`: the rule for dangerous changes of each other channel, and its solo. */
async function decide({
  own = 'confirm',
  isSolo = false,
  widens,
  others = {},
}: {
  own?: Rule;
  isSolo?: boolean;
  widens?: string[];
  others?: Record<string, { rule?: Rule; solo?: boolean }>;
}) {
  const asked: unknown[] = [];
  const access = {
    channel: 'C0',
    decide: (...given: unknown[]) => {
      asked.push(given);
      return { allowed: true, because: 'granted', rule: own, isSolo, policyVersion: 3 };
    },
  };
  const policies = new Map<string, Policy>(
    Object.entries(others).map(([channel, { rule, solo = false }]) => [
      channel,
      { ...emptyPolicy, solo, rules: { routine: 'none', ...(rule !== undefined && { dangerous: rule }) } },
    ]),
  );
  const context = { policies: { all: async () => policies } };
  const decision = await decideOnPlan(
    context as unknown as Parameters<typeof decideOnPlan>[0],
    // All that it touches.
    access as unknown as Access,
    { capability: 'organize', risk: 'routine' },
    { targets: [target], ...(widens && { widens: widens.map((channel) => ({ channel, grants: [] })) }) },
  );
  return { asked, ...(decision as Extract<PlanDecision, { allowed: true }>) };
}

describe('the rule of the requesting channel decides', () => {
  test.each([
    ['where nothing is widened', undefined],
    ['where it alone is widened', ['C0']],
  ])('%s', async (_, widens) => {
    const decision = await decide({ isSolo: true, ...(widens && { widens }) });
    expect(decision).toMatchObject({ rule: 'confirm', isSolo: true, policyVersion: 3 });
    expect(decision.asked).toEqual([['organize', 'routine', [target]]]);
  });
});

test('a denial stays one', async () => {
  const denied: Decision = { allowed: false, reason: 'not_granted', because: 'no' };
  const access = { channel: 'C0', decide: () => denied } as unknown as Access;
  const nobodyReads = {} as Parameters<typeof decideOnPlan>[0];
  const plan = { targets: [], widens: [{ channel: 'C1', grants: [] }] };
  expect(await decideOnPlan(nobodyReads, access, { capability: 'organize', risk: 'routine' }, plan)).toBe(denied);
});

describe('where another channel is widened', () => {
  const named = (...by: Approval['by']) => approve({ by });
  const c0 = (rule: Approval) => ({ channel: 'C0', rule, isSolo: false });
  const c1 = (rule: Approval) => ({ channel: 'C1', rule, isSolo: false });

  test.each<[string, Parameters<typeof decide>[0], Demand[]]>([
    ['its approvers decide', { others: { C1: { rule: named('user:U1') } } }, [c1(named('user:U1'))]],
    ['the admins decide where it has no policy', {}, [c1(approve())]],
    ['the admins decide where its requesters confirm', { others: { C1: { rule: 'confirm' } } }, [c1(approve())]],
    ['the admins decide where its rule names nobody', { others: { C1: {} } }, [c1(approve())]],
    [
      'those of the requesting channel decide as well, as many of each as its rule says',
      {
        own: approve({ approve: 2, by: ['user:U0'], typed: true, notify: 'dm' }),
        others: { C1: { rule: named('user:U1') } },
      },
      [c0(approve({ approve: 2, by: ['user:U0'], typed: true, notify: 'dm' })), c1(named('user:U1'))],
    ],
    [
      'of two each decides for itself',
      { widens: ['C1', 'C2'], others: { C1: { rule: named('user:U1') }, C2: { rule: named('user:U2') } } },
      [c1(named('user:U1')), { ...c1(named('user:U2')), channel: 'C2' }],
    ],
    [
      'the requesting one, which is widened as well, is asked once',
      { widens: ['C0', 'C1'], own: named('user:U0'), others: { C1: { rule: named('user:U1') } } },
      [c0(named('user:U0')), c1(named('user:U1'))],
    ],
    [
      'the requesting one, in which the requester confirms, needs no approval',
      { widens: ['C0', 'C1'], others: { C1: { rule: named('user:U1') } } },
      [c1(named('user:U1'))],
    ],
  ])('%s', async (_, given, demands) => {
    expect((await decide({ widens: ['C1'], ...given })).demands).toEqual(demands);
  });

  test('the description of several rules names the most approvals, all approvers, and whether a name is typed', async () => {
    const decision = await decide({
      own: approve({ approve: 2, by: ['user:U0', 'group:S1'], typed: true }),
      widens: ['C1'],
      others: { C1: { rule: named('user:U1', 'group:S1') } },
    });
    expect(decision.rule).toEqual(approve({ approve: 2, by: ['user:U0', 'group:S1', 'user:U1'], typed: true }));
  });

  test.each<[string, Record<string, { rule: Rule }>, Partial<Approval>]>([
    ['as its rule says', { C1: { rule: approve({ notify: 'dm' }) } }, { notify: 'dm' }],
    [
      'as two rules say that agree',
      { C1: { rule: approve({ notify: 'none' }) }, C2: { rule: approve({ notify: 'none' }) } },
      { notify: 'none' },
    ],
    ['by a mention where two disagree', { C1: { rule: approve({ notify: 'none' }) }, C2: { rule: approve() } }, {}],
    ['by a mention where its rule says so', { C1: { rule: approve({ notify: 'mention' }) } }, {}],
  ])('approvers are notified %s', async (_, others, notify) => {
    const { rule } = await decide({ widens: Object.keys(others), others });
    expect(rule).toEqual(approve(notify));
  });

  test.each([
    [true, { isSolo: true, others: { C1: { solo: true } } }],
    [false, { isSolo: false, others: { C1: { solo: true } } }],
    [false, { isSolo: true, others: { C1: { solo: false } } }],
    [false, { isSolo: true, others: { C1: { solo: true }, C2: { solo: false } } }],
    [false, { isSolo: true, others: {} }],
  ])('whether people may approve their own requests: %s with %j', async (isSolo, given) => {
    const decision = await decide({ widens: ['C1', 'C2'].slice(0, Object.keys(given.others).length || 1), ...given });
    expect(decision).toMatchObject({ isSolo, policyVersion: 3, because: 'granted' });
  });
});

test.each([
  ['operate', 'operate'],
  ['none', 'read'],
  ['admin', 'read'],
] as const)('a command that needs the right %s may name what the person has the right %s to', (capability, needed) => {
  const asked: unknown[] = [];
  const may: Access['may'] = (...given) => {
    asked.push(given);
    return given[1].id === '34-1';
  };
  // All that it touches.
  const maySee = maySeeFor({ capability }, { may } as Access);
  expect([maySee(target), maySee(accountTarget)]).toEqual([true, false]);
  expect(asked).toEqual([
    [needed, target],
    [needed, accountTarget],
  ]);
});
