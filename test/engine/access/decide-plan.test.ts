import { expect, test } from 'vitest';
import { accountTarget, type Target } from '../../../src/core/account/account.ts';
import type { Decision } from '../../../src/core/policy/evaluate.ts';
import type { Rule } from '../../../src/core/policy/policy.ts';
import { maySeeFor } from '../../../src/engine/access/allowed-names.ts';
import { decideOnPlan, type PlanDecision } from '../../../src/engine/access/decide-plan.ts';
import type { Access } from '../../../src/engine/context/access-port.ts';

// The rule for a plan after which grants of other channels would include more.

type Approval = Exclude<Rule, string>;
const approve = (own: Partial<Approval> = {}): Approval => ({ approve: 1, by: [], typed: false, ...own });
const target: Target = { ...accountTarget, kind: 'order', id: '34-1' };

interface Given {
  readonly own?: Rule;
  readonly isSolo?: boolean;
  readonly isAdmin?: boolean;
  readonly widens?: readonly string[] | undefined;
}

/** The requesting channel is C0. */
async function decide({ own = 'confirm', isSolo = false, isAdmin = false, widens }: Given) {
  const asked: unknown[] = [];
  const access = {
    channel: 'C0',
    actor: { isAdmin },
    decide: (...given: unknown[]) => {
      asked.push(given);
      return { allowed: true, because: 'granted', rule: own, isSolo, policyVersion: 3 };
    },
  };
  const decision = await decideOnPlan(
    {} as Parameters<typeof decideOnPlan>[0],
    // All that it touches.
    access as unknown as Access,
    { capability: 'organize', risk: 'routine' },
    { targets: [target], ...(widens && { widens: widens.map((channel) => ({ channel, grants: [] })) }) },
  );
  return { asked, ...(decision as Extract<PlanDecision, { allowed: true }>) };
}

test.each([[undefined], [['C0']]])('the rule of the own channel decides where none is widened: %j', async (widens) => {
  const decision = await decide({ isSolo: true, widens });
  expect(decision).toMatchObject({ rule: 'confirm', isSolo: true, policyVersion: 3 });
  expect(decision.asked).toEqual([['organize', 'routine', [target]]]);
});

test('a denial stays one', async () => {
  const denied: Decision = { allowed: false, reason: 'not_granted', because: 'no' };
  const access = { channel: 'C0', actor: { isAdmin: false }, decide: () => denied } as unknown as Access;
  const nobodyReads = {} as Parameters<typeof decideOnPlan>[0];
  const plan = { targets: [], widens: [{ channel: 'C1', grants: [] }] };
  expect(await decideOnPlan(nobodyReads, access, { capability: 'organize', risk: 'routine' }, plan)).toBe(denied);
});

const strict = { approve: 2, typed: true, notify: 'dm', wait: '15m' } as const;

test.each<[Rule, Rule]>([
  ['confirm', approve()],
  ['none', approve()],
  [approve({ ...strict, by: ['user:U0'] }), approve(strict)],
])('where another channel is widened, the admins decide in place of the rule %j', async (own, rule) => {
  expect(await decide({ own, widens: ['C0', 'C1'] })).toMatchObject({ rule, policyVersion: 3, because: 'granted' });
});

test.each([
  [true, { isSolo: true, isAdmin: true }],
  [false, { isSolo: true, isAdmin: false }],
  [false, { isSolo: false, isAdmin: true }],
])('whether people may approve their own requests there: %s with %j', async (isSolo, given) => {
  expect(await decide({ widens: ['C1'], ...given })).toMatchObject({ isSolo });
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
