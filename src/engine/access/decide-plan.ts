import { type Plan, sayElsewhere } from '../../core/plan/plan.ts';
import type { KnownPeople, Ruled } from '../../core/policy/approvers.ts';
import { approversBeside, namesOf, possibleApprovers } from '../../core/policy/approvers.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import { higherRisk, namedIn, type Policy, type Risk } from '../../core/policy/policy.ts';
import { isGuarded, protectedRule } from '../../core/policy/protection.ts';
import { strictest } from '../../core/policy/strictest.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { text } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { membershipOf } from './access.ts';
import { type ProtectedTarget, protectedInBulk, protectionsOn, sayProtected } from './protections.ts';
import { type Weight, type Weighted, weightsOf } from './weights.ts';

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
  command: Weighted,
  plan: Pick<Plan<unknown>, 'parts' | 'raised' | 'targets' | 'widens'> & Partial<Pick<Plan<unknown>, 'steps'>>,
): Promise<PlanDecision> {
  const [first, ...others] = weightsOf(command, plan, riskOf(command, plan));
  const own = await decideOnWeight(context, access, first, plan);
  const more = await Promise.all(others.map((weight) => decideOnWeight(context, access, weight, plan)));
  const decision = strictest([own, ...more], access.actor.isAdmin);
  if (!decision.allowed) return decision;
  const pinned = [own, ...more].flatMap(({ protections = [] }) => protections);
  const protections = [...new Map(pinned.map((protection) => [protection.key, protection])).values()];
  const elsewhere = sayElsewhere(plan, access.channel);
  return { ...decision, protections, ...(elsewhere !== undefined && byAdmins(decision, access)) };
}

export function riskOf(command: Weighted, plan: Pick<Plan<unknown>, 'parts' | 'raised'>): Risk {
  const own = (plan.parts ?? [command]).map(({ risk }) => risk).reduce(higherRisk);
  return plan.raised ? higherRisk(own, plan.raised.risk) : own;
}

async function decideOnWeight(
  context: EngineContext,
  access: Access,
  { capability, risk, targets }: Weight,
  plan: Partial<Pick<Plan<unknown>, 'steps'>>,
): Promise<PlanDecision> {
  const allowed = access.decide(capability, risk, targets);
  if (!allowed.allowed) return allowed;
  const protections = isGuarded(risk) ? await protectionsOn(context, targets) : [];
  const inBulk = protectedInBulk(plan, protections);
  if (inBulk.length > 0) {
    const because = `${sayProtected(inBulk)}. What may destroy a pinned target is requested for it alone`;
    return { allowed: false, reason: 'pinned', because, protections: inBulk };
  }
  return { ...(protections.length === 0 ? allowed : withProtection(allowed)), protections };
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

/** With more approvers than this, accounts are not looked up: some of them can surely approve. */
const mostLookedUp = 25;

/** Reads the members of the groups in rules and grants, and the deactivated accounts among the approvers. */
export async function peopleOf(
  { directory, settings }: EngineContext,
  { grants, rules }: Pick<Policy, 'grants' | 'rules'>,
) {
  const groups = namedIn({ version: 0, solo: false, grants: [...grants], rules }, 'group');
  const membersIn = async (group: string) =>
    [group, await directory.groupMembers(group).catch(() => undefined)] as const;
  const members = new Map(await Promise.all(groups.map(membersIn)));
  const people: KnownPeople = { admins: settings.admins, membersOf: (group) => members.get(group), isAble: () => true };
  const approvers = Object.values(rules).flatMap((rule) =>
    typeof rule === 'object' ? (possibleApprovers({ rule, isSolo: false }, people) ?? []) : [],
  );
  if (approvers.length > mostLookedUp) return people;
  const unable = new Set<string>();
  for (const user of new Set(approvers)) {
    const membership = await membershipOf(directory, user);
    if (membership === 'deactivated' || membership === 'bot') unable.add(user);
  }
  return { ...people, isAble: (user: string) => !unable.has(user) };
}

/** The people who can approve under a rule, without the requester; undefined if Slack cannot name them all. */
export async function approversWithout(context: EngineContext, requester: string, { rule, isSolo }: Ruled) {
  const people = await peopleOf(context, { grants: [], rules: { dangerous: rule } });
  const possible = possibleApprovers({ rule, isSolo }, people);
  return possible && approversBeside(requester, { rule, isSolo }, possible);
}

/** Refuses a request that too few people could approve, with the numbers: it would only expire. */
export async function mustBeApprovable(
  context: EngineContext,
  { actor, channel }: Access,
  { rule, isSolo, protections }: Extract<PlanDecision, { allowed: true }>,
  risk: Risk,
  plan: Pick<Plan<unknown>, 'widens'>,
): Promise<void> {
  if (typeof rule !== 'object') return;
  const left = await approversWithout(context, actor.id, { rule, isSolo });
  if (left === undefined || left.length >= rule.approve) return;
  const elsewhere = sayElsewhere(plan, channel);
  const why = elsewhere === undefined ? '' : text(', from an admin since ', elsewhere);
  const because = protections.length > 0 ? `, one of them because ${sayProtected(protections)}` : '';
  const can = left.length === 0 ? 'nobody' : count(left.length, 'person', 'people');
  const needed = `${count(rule.approve, 'approval')} ${rule.approve === 1 ? 'is' : 'are'} needed`;
  const words = text(`Nobody can get this approved: ${needed}`, why, because, `, and ${can} can approve beside you`);
  throw new Refusal('impossible', text(words, namesOf(left), '.'), {
    hint:
      elsewhere === undefined
        ? `Nothing was requested. An admin names more approvers, or asks for fewer, with \`/host access rule ${risk} …\`.`
        : 'Nothing was requested. `HOSTLER_ADMINS` names the admins; `/host access solo on` lets them approve their own requests here.',
    suggestions: [{ label: 'Who may do what', command: 'access' }],
  });
}
