import { count, sayDuration, sentenceStart } from '../text/words.ts';
import { type Text, text } from '../view/view.ts';
import { sayApprovers } from './approvers.ts';
import { graceMsOf, type Rule, waitMsOf } from './policy.ts';

/** Words for a channel's rule: the decision required before a request runs. */

/** `one approval, with the name typed, only in maintenance, then 15 min to stop it`. `from` follows the approvals. */
export function sayRule(rule: Rule, from: Text = ''): Text {
  if (rule === 'none') return 'no confirmation';
  if (rule === 'confirm') return 'one confirmation';
  const { approve, typed, reason, window } = rule;
  const [grace, wait] = [graceMsOf(rule), waitMsOf(rule)];
  return text(
    `${reason === true ? 'a reason and ' : ''}${approve === 1 ? 'one approval' : count(approve, 'approval')}`,
    from,
    typed ? ', with the name typed' : '',
    window === undefined ? '' : `, only in ${window}`,
    grace === undefined ? '' : `, at most ${sayDuration(grace)} late`,
    wait > 0 ? `, then ${sayDuration(wait)} to stop it` : '',
  );
}

/** `one approval from @ops or an admin, with the name typed` */
export function sayRuleFrom(rule: Rule): Text {
  return typeof rule === 'string' ? sayRule(rule) : sayRule(rule, text(' from ', sayApprovers(rule)));
}

/** `Disruptive: you confirm it`. `confirms`: the words for the requester, depending on the reader. */
export function sayRuleOfRisk(risk: string, rule: Rule, confirms: Confirms): Text {
  return text(`${sentenceStart(risk)}: `, rule === 'confirm' ? `${confirms} it` : sayRuleFrom(rule));
}

type Confirms =
  | 'you confirm'
  | 'they confirm'
  | 'the person who asks confirms'
  | 'the person who asked confirms'
  | 'a person who may ask for the same confirms';

/** `needs 1 approval`: the state of a waiting request. `cast`: its number of approvals. */
export function sayWaiting(rule: Rule, cast = 0): string {
  if (rule === 'none') return 'waiting';
  if (rule === 'confirm') return 'confirm to run';
  const left = Math.max(1, rule.approve - cast);
  return `needs ${cast > 0 ? `${left} more ${left === 1 ? 'approval' : 'approvals'}` : count(left, 'approval')}`;
}
