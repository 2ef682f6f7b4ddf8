import type { Plan } from '../../core/plan/plan.ts';
import { type Demand, summaryOf } from '../../core/policy/demands.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import { type Approval, type Policy, type Risk, ruleFor } from '../../core/policy/policy.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

const adminsOnly: Approval = { approve: 1, by: [], typed: false };

/** `demands`: the required approvals, each from the approvers of one channel. */
export type PlanDecision =
  | (Extract<Decision, { allowed: true }> & { readonly demands: readonly Demand[] })
  | Extract<Decision, { allowed: false }>;

/**
 * Decides on a plan. A plan that makes a grant of another channel cover more targets needs the approval of both sides:
 * by the rule of the requesting channel, and by the approvers of each channel that gains.
 */
export async function decideOnPlan(
  { policies }: Pick<EngineContext, 'policies'>,
  access: Access,
  { capability, risk }: { readonly capability: Parameters<Access['decide']>[0]; readonly risk: Risk },
  plan: Pick<Plan<never>, 'targets' | 'widens'>,
): Promise<PlanDecision> {
  const decision = access.decide(capability, risk, plan.targets);
  if (!decision.allowed) return decision;
  const { rule, isSolo } = decision;
  const own: Demand[] = typeof rule === 'object' ? [{ channel: access.channel, rule, isSolo }] : [];
  const elsewhere = (plan.widens ?? []).map(({ channel }) => channel).filter((channel) => channel !== access.channel);
  if (elsewhere.length === 0) return { ...decision, demands: own };
  const all = await policies.all();
  // Solo applies to requests made in that channel: no one extends rights elsewhere alone unless both channels are solo.
  const gaining = elsewhere.map((channel): Demand => {
    const policy = all.get(channel);
    return { channel, rule: approvalOf(policy), isSolo: isSolo && policy?.solo === true };
  });
  const demands = [...own, ...gaining];
  const [first, ...others] = demands;
  if (first === undefined) return { ...decision, demands };
  return {
    ...decision,
    rule: summaryOf([first, ...others]),
    isSolo: isSolo && gaining.every((demand) => demand.isSolo),
    demands,
  };
}

/**
 * The approval that another channel requires. Its rule `confirm` or `none` applies to its own requests only; for others
 * an admin decides.
 */
function approvalOf(policy: Policy | undefined): Approval {
  const rule = ruleFor(policy, 'dangerous');
  return typeof rule === 'object' ? rule : adminsOnly;
}
