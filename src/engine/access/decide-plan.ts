import type { Plan } from '../../core/plan/plan.ts';
import { type Demand, summaryOf } from '../../core/policy/demands.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import { isGuarded, pinnedRule } from '../../core/policy/pins.ts';
import { type Approval, type Policy, type Risk, type Rule, ruleFor } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Pinned, pinnedInBulk, pinsOn, sayPinned } from './pins.ts';

const adminsOnly: Approval = { approve: 1, by: [], typed: false };

/** `demands`: the required approvals, each from the approvers of one channel. `pins`: those that count. */
export type PlanDecision =
  | (Extract<Decision, { allowed: true }> & { readonly demands: readonly Demand[]; readonly pins: readonly Pinned[] })
  | (Extract<Decision, { allowed: false }> & { readonly pins?: readonly Pinned[] });

/**
 * Decides on a plan. A plan that makes a grant of another channel cover more targets needs the approval of both sides:
 * by the rule of the requesting channel, and by the approvers of each channel that gains. A pinned target needs one
 * approver more for dangerous and destructive requests, and is never one of several.
 */
export async function decideOnPlan(
  context: Pick<EngineContext, 'pins' | 'policies'>,
  access: Access,
  { capability, risk }: { readonly capability: Parameters<Access['decide']>[0]; readonly risk: Risk },
  plan: Pick<Plan<unknown>, 'targets' | 'widens'> & Partial<Pick<Plan<unknown>, 'steps'>>,
): Promise<PlanDecision> {
  const allowed = access.decide(capability, risk, plan.targets);
  if (!allowed.allowed) return allowed;
  const pins = isGuarded(risk) ? await pinsOn(context, plan.targets) : [];
  const inBulk = pinnedInBulk(plan, pins);
  if (inBulk.length > 0) {
    const because = `${sayPinned(inBulk)}. What may destroy a pinned target is requested for it alone`;
    return { allowed: false, reason: 'pinned', because, pins: inBulk };
  }
  const decision = { ...(pins.length === 0 ? allowed : asPinned(allowed)), pins };
  const { rule, isSolo } = decision;
  const own: Demand[] = typeof rule === 'object' ? [{ channel: access.channel, rule, isSolo }] : [];
  const elsewhere = (plan.widens ?? []).map(({ channel }) => channel).filter((channel) => channel !== access.channel);
  if (elsewhere.length === 0) return { ...decision, demands: own };
  const all = await context.policies.all();
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
    rule: { ...summaryOf([first, ...others]), ...hoursOf(rule) },
    isSolo: isSolo && gaining.every((demand) => demand.isSolo),
    demands,
  };
}

/** The hours of a request come from the rule of the channel in which it was made. */
function hoursOf(rule: Rule): Pick<Approval, 'grace' | 'window'> {
  const { window, grace } = typeof rule === 'object' ? rule : {};
  return defined({ window, grace });
}

type Allowed = Extract<Decision, { allowed: true }>;

/** The same decision with the approval that a pin of a target adds. */
export function withPin<D extends Pick<Allowed, 'rule' | 'isSolo'> & { readonly demands: readonly Demand[] }>(
  decision: D,
  channel: string,
): D {
  const { rule, isSolo } = asPinned(decision);
  if (typeof rule === 'string') return decision;
  const [own, ...others] = [
    { channel, rule, isSolo },
    ...decision.demands.filter((demand) => demand.channel !== channel),
  ] as const;
  const summary = { ...summaryOf([own, ...others]), ...hoursOf(rule) };
  return { ...decision, rule: summary, isSolo, demands: [own, ...others] };
}

/** The decision where a target is pinned. */
function asPinned<D extends Pick<Allowed, 'rule' | 'isSolo'>>(decision: D): D {
  return { ...decision, ...pinnedRule(decision) };
}

/**
 * The approval that another channel requires. Its rule `confirm` or `none` applies to its own requests only; for others
 * an admin decides.
 */
function approvalOf(policy: Policy | undefined): Approval {
  const rule = ruleFor(policy, 'dangerous');
  return typeof rule === 'object' ? rule : adminsOnly;
}
