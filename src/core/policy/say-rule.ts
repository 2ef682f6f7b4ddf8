import { count, sentenceStart } from '../text/words.ts';
import type { Rule } from './policy.ts';

/** Words for a channel's rule: the decision required before a request runs. */

/** `one approval and the name typed` */
export function sayRule(rule: Rule): string {
  if (rule === 'none') return 'no confirmation';
  if (rule === 'confirm') return 'one confirmation';
  const approvals = rule.approve === 1 ? 'one approval' : count(rule.approve, 'approval');
  return `${rule.reason === true ? 'a reason and ' : ''}${approvals}${rule.typed ? ' and the name typed' : ''}`;
}

/** `Disruptive here: one confirmation` */
export function sayRuleHere(risk: string, rule: Rule): string {
  return `${sentenceStart(risk)} here: ${sayRule(rule)}`;
}

/** `needs 1 approval`: the state of a waiting request. `cast`: its number of approvals. */
export function sayWaiting(rule: Rule, cast = 0): string {
  if (rule === 'none') return 'waiting';
  if (rule === 'confirm') return 'confirm to run';
  const left = Math.max(1, rule.approve - cast);
  return `needs ${cast > 0 ? `${left} more ${left === 1 ? 'approval' : 'approvals'}` : count(left, 'approval')}`;
}
