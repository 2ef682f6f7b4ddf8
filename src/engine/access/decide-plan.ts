import { type Plan, sayElsewhere } from '../../core/plan/plan.ts';
import type { Ruled } from '../../core/policy/approvers.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import { isGuarded, pinnedRule } from '../../core/policy/pins.ts';
import type { Risk } from '../../core/policy/policy.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Pinned, pinnedInBulk, pinsOn, sayPinned } from './pins.ts';

type Allowed = Extract<Decision, { allowed: true }>;

/** `pins`: those that count. */
export type PlanDecision =
  | (Allowed & { readonly pins: readonly Pinned[] })
  | (Extract<Decision, { allowed: false }> & { readonly pins?: readonly Pinned[] });

/**
 * Decides on a plan. A plan that makes a grant of another channel cover more targets needs an admin. A pinned target
 * needs one approver more for dangerous and destructive requests, and is never one of several.
 */
export async function decideOnPlan(
  context: EngineContext,
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
  const decision = { ...(pins.length === 0 ? allowed : withPin(allowed)), pins };
  return sayElsewhere(plan, access.channel) === undefined ? decision : { ...decision, ...byAdmins(decision, access) };
}

/** The same rule with the admins as its only approvers; with solo, an admin may approve their own request. */
function byAdmins({ rule, isSolo }: Allowed, { actor }: Access): Ruled {
  const own = typeof rule === 'object' ? rule : { approve: 1, typed: false };
  return { rule: { ...own, by: [] }, isSolo: isSolo && actor.isAdmin };
}

/** The same decision with the approval that a pin of a target adds. */
export function withPin<D extends Pick<Allowed, 'rule' | 'isSolo'>>(decision: D): D {
  return { ...decision, ...pinnedRule(decision) };
}
