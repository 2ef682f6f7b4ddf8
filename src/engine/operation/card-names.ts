import { sayElsewhere } from '../../core/plan/plan.ts';
import { approversIn } from '../../core/policy/approvers.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { sayRuleOfRisk } from '../../core/policy/say-rule.ts';
import { type Button, type Text, text } from '../../core/view/view.ts';
import { offersGlass } from '../access/glass-parts.ts';
import { personName, sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './read-operation.ts';

const nobody = 'nobody but the person who asked';

/** The approvers as mentions: "@ops or an admin". */
export function approversOf(
  { rule, isSolo, requester }: Pick<Operation, 'rule' | 'isSolo' | 'requester'>,
  admins: readonly string[],
): Text {
  return (typeof rule === 'object' ? approversIn({ rule, isSolo }, { admins, requester }) : undefined) ?? nobody;
}

/** The people who decide. A request of a machine is confirmed by anybody who may ask for the same. */
export function decidersOf(operation: Operation, admins: readonly string[]): Text {
  const { rule, requester, token } = operation;
  if (typeof rule === 'object') return approversOf(operation, admins);
  return text({ user: requester }, token === null ? '' : ' or anybody here who may ask for it');
}

/** `Disruptive: the person who asked confirms it` */
export function sayRuleOf({ risk, rule, token }: Pick<Operation, 'risk' | 'rule' | 'token'>): Text {
  const confirms = token === null ? 'the person who asked confirms' : 'a person who may ask for the same confirms';
  return sayRuleOfRisk(risk, rule, confirms);
}

/** Facts for a waiting card: names as plain text, which notify no one. */
export interface CardNames {
  readonly requesterName: string;
  /** For a rule that keeps the card from mentioning approvers. */
  readonly approverNames?: string;
  /** Whether somebody may run it without its approvals. */
  readonly offersGlass?: boolean;
}

export async function namesOnCard(context: EngineContext, operation: Operation): Promise<CardNames> {
  const { directory, settings } = context;
  const isQuiet = noticeOf(operation.rule) !== 'mention';
  return {
    offersGlass: await offersGlass(context, operation),
    requesterName: await personName(context, operation.requester),
    ...(isQuiet && { approverNames: await sayNames(directory, approversOf(operation, settings.admins)) }),
  };
}

/** "Needs 1 of: @ops or an admin." `cast`: its number of approvals. */
export function approvalsNeeded({ rule, plan, channel }: Operation, approvers: Text, cast: number): Text {
  const missing = typeof rule === 'object' ? rule.approve - cast : 0;
  if (missing <= 0) return 'Approved.';
  const elsewhere = sayElsewhere(plan, channel);
  const why = elsewhere === undefined ? '' : text(', since ', elsewhere);
  return text(`Needs ${missing}${cast === 0 ? '' : ' more'} of: `, approvers, why, '.');
}

/** Returns no button if the rule notifies no one. */
export function remindButtons({ id, rule }: Pick<Operation, 'id' | 'rule'>): Button[] {
  if (noticeOf(rule) === 'none') return [];
  return [{ label: 'Remind approvers', intent: { do: 'remind', operation: id } }];
}
