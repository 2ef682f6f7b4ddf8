import { type Plan, sayElsewhere } from '../../core/plan/plan.ts';
import type { Ruled } from '../../core/policy/approvers.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import type { Risk } from '../../core/policy/policy.ts';
import { isGuarded, protectedRule } from '../../core/policy/protection.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type ProtectedTarget, protectedInBulk, protectionsOn, sayProtected } from './protections.ts';

type Allowed = Extract<Decision, { allowed: true }>;

/** `protections`: those that count. */
export type PlanDecision =
  | (Allowed & { readonly protections: readonly ProtectedTarget[] })
  | (Extract<Decision, { allowed: false }> & { readonly protections?: readonly ProtectedTarget[] });

/**
 * Decides on a plan. A plan that makes a grant of another channel cover more targets needs an admin. A protected target
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
  const protections = isGuarded(risk) ? await protectionsOn(context, plan.targets) : [];
  const inBulk = protectedInBulk(plan, protections);
  if (inBulk.length > 0) {
    const because = `${sayProtected(inBulk)}. What may destroy a pinned target is requested for it alone`;
    return { allowed: false, reason: 'pinned', because, protections: inBulk };
  }
  const decision = { ...(protections.length === 0 ? allowed : withProtection(allowed)), protections };
  return sayElsewhere(plan, access.channel) === undefined ? decision : { ...decision, ...byAdmins(decision, access) };
}

/** The same rule with the admins as its only approvers; with solo, an admin may approve their own request. */
function byAdmins({ rule, isSolo }: Allowed, { actor }: Access): Ruled {
  const own = typeof rule === 'object' ? rule : { approve: 1, typed: false };
  return { rule: { ...own, by: [] }, isSolo: isSolo && actor.isAdmin };
}

/** The same decision with the approval that a protection of a target adds. */
export function withProtection<D extends Pick<Allowed, 'rule' | 'isSolo'>>(decision: D): D {
  return { ...decision, ...protectedRule(decision) };
}
