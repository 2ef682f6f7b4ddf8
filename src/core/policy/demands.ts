import type { Span, Text } from '../view/view.ts';
import { type Approval, noticeOf } from './policy.ts';

/** An approval that a request needs: as the rule of one channel says, from the approvers of that channel. */
export interface Demand {
  readonly channel: string;
  readonly rule: Approval;
  /** The requester may be one of them. */
  readonly isSolo: boolean;
}

/**
 * One rule in place of several demands, for the words about a request: how many approvals it needs at least, whether a
 * name is typed, and how approvers hear of it. One person may approve for several channels; each demand is fulfilled for
 * itself.
 */
export function summaryOf(demands: readonly [Demand, ...Demand[]]): Approval {
  const rules = demands.map(({ rule }) => rule);
  const notify = (['dm', 'none'] as const).find((notice) => rules.every((rule) => noticeOf(rule) === notice));
  return {
    approve: Math.max(...rules.map(({ approve }) => approve)),
    by: [...new Set(rules.flatMap(({ by }) => by))],
    typed: rules.some(({ typed }) => typed),
    ...(notify === undefined ? {} : { notify }),
  };
}

/** The most approvers that are mentioned; the rest is counted. */
const mostMentioned = 5;

/** Of a rule alone neither is known. */
interface Known {
  readonly admins?: readonly string[];
  readonly requester?: string;
}

/**
 * The people and groups who can approve, as `mayApprove` has it: `@ops or an admin`. Without any in the rule the admins
 * can. Undefined when nobody is left.
 */
export function approversIn(
  { rule: { by }, isSolo }: Pick<Demand, 'rule' | 'isSolo'>,
  { admins, requester }: Known = {},
): Text | undefined {
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
    ...named.slice(0, mostMentioned).map((subject): Span => {
      const id = subject.slice(subject.indexOf(':') + 1);
      return subject.startsWith('user:') ? { user: id } : { group: id };
    }),
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(isOpenToAdmins ? ['an admin'] : []),
  ];
  if (words.length === 0) return undefined;
  return words.flatMap((span, at) => (at === 0 ? [span] : [at === words.length - 1 ? ' or ' : ', ', span]));
}

/** The same of a rule alone: `@ops or an admin`, and `the admins` where it names nobody. */
export function sayApprovers(rule: Approval): Text {
  return (rule.by.length === 0 ? undefined : approversIn({ rule, isSolo: false })) ?? 'the admins';
}
