import { type Plan, sayElsewhere } from '../../core/plan/plan.ts';
import {
  approversBeside,
  type KnownPeople,
  namesOf,
  possibleApprovers,
  type Ruled,
} from '../../core/policy/approvers.ts';
import { namedIn, type Policy, type Risk } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { text } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { membershipOf } from './access.ts';
import type { PlanDecision } from './decide-plan.ts';
import { sayProtected } from './protections.ts';

/** With more approvers than this, accounts are not looked up: some of them can surely approve. */
const mostLookedUp = 25;

/** Reads the members of the groups in rules and grants, and the deactivated accounts among the approvers. */
export async function peopleOf(
  { directory, settings }: EngineContext,
  { grants, rules }: Pick<Policy, 'grants' | 'rules'>,
) {
  const groups = namedIn({ version: 0, solo: false, grants: [...grants], rules }, 'group');
  const members = new Map(
    await Promise.all(
      groups.map(async (group) => [group, await directory.groupMembers(group).catch(() => undefined)] as const),
    ),
  );
  const people: KnownPeople = {
    admins: settings.admins,
    membersOf: (group) => members.get(group),
    isAble: () => true,
  };
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
  throw new Refusal(
    'impossible',
    text(
      `Nobody can get this approved: ${count(rule.approve, 'approval')} ${rule.approve === 1 ? 'is' : 'are'} needed`,
      why,
      because,
      `, and ${can} can approve beside you`,
      namesOf(left),
      '.',
    ),
    {
      hint:
        elsewhere === undefined
          ? `Nothing was requested. An admin names more approvers, or asks for fewer, with \`/host access rule ${risk} …\`.`
          : 'Nothing was requested. `HOSTLER_ADMINS` names the admins; `/host access solo on` lets them approve their own requests here.',
      suggestions: [{ label: 'Who may do what', command: 'access' }],
    },
  );
}
