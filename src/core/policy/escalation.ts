import { parseSpan } from '../text/words.ts';
import { type Text, text } from '../view/view.ts';
import type { Demand } from './demands.ts';
import { describeSubjects } from './evaluate.ts';
import type { Approval, Rule } from './policy.ts';

/** The second group of a rule, which may approve when a request stays undecided. */

type Asked = Pick<Demand, 'rule' | 'isSolo'>;

/** The time after the request; undefined if the rule names no second group, or if the requester may approve anyway. */
export function escalatesAfter({ rule, isSolo }: Asked): number | undefined {
  if (rule.escalate === undefined || (isSolo && rule.by.length === 0)) return undefined;
  return parseSpan(rule.escalate.after);
}

/** The demand after its escalation: the second group may approve like the first. */
export function escalated<T extends Asked>(demand: T): T {
  if (escalatesAfter(demand) === undefined) return demand;
  const { by, escalate } = demand.rule;
  return { ...demand, rule: { ...demand.rule, by: [...new Set([...by, ...(escalate?.to ?? [])])] } };
}

/** The rule without the people whom only an escalation added, to compare it with the rule of a channel. */
export function unescalated(rule: Approval): Approval {
  const { escalate } = rule;
  return escalate === undefined ? rule : { ...rule, by: rule.by.filter((subject) => !escalate.to.includes(subject)) };
}

/** `, after 30m also from @leads`; follows the names of the approvers. */
export function sayEscalation(rule: Rule): Text {
  if (typeof rule !== 'object' || rule.escalate === undefined) return '';
  const { after, to } = rule.escalate;
  return text(`, after ${after} also from `, describeSubjects(to));
}
