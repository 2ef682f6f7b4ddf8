import { joined, type Span, type Text } from '../view/view.ts';
import { type Approval, mentionOf } from './policy.ts';

/** A rule that requires approvals; `isSolo`: the requester may be one of the approvers. */
export interface Ruled {
  readonly rule: Approval;
  readonly isSolo: boolean;
}

/** Maximum number of mentioned approvers; the others are counted. */
const mostMentioned = 5;

/** Both are absent for a rule without a request. */
interface Known {
  readonly admins?: readonly string[];
  readonly requester?: string;
}

/**
 * The people and groups who can approve, consistent with `mayApprove`: `@ops or an admin`. If the rule names none, the
 * admins can. Undefined if no one can.
 */
export function approversIn({ rule: { by }, isSolo }: Ruled, { admins, requester }: Known = {}): Text | undefined {
  const isOther = (subject: string) => isSolo || subject !== `user:${requester}`;
  const named = (by.length > 0 || admins === undefined ? by : admins.map((admin) => `user:${admin}` as const)).filter(
    isOther,
  );
  const isOpenToAdmins =
    by.length === 0
      ? admins === undefined
      : admins === undefined ||
        admins.some((admin) => isOther(`user:${admin}`) && !by.some((subject) => subject === `user:${admin}`));
  const rest = named.length - mostMentioned;
  const words: readonly Span[] = [
    ...named.slice(0, mostMentioned).map(mentionOf),
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(isOpenToAdmins ? ['an admin'] : []),
  ];
  return words.length === 0 ? undefined : joined(words, ', ', ' or ');
}

/** The approvers of a rule without a request: `@ops or an admin`, or `the admins` if it names no one. */
export function sayApprovers(rule: Approval): Text {
  return (rule.by.length === 0 ? undefined : approversIn({ rule, isSolo: false })) ?? 'the admins';
}
