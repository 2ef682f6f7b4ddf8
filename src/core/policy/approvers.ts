import { count } from '../text/words.ts';
import { joined, peopleIn, type Span, type Text, text } from '../view/view.ts';
import { type Approval, type Grant, mentionOf, subjectId } from './policy.ts';

/** The people who can approve under a rule, and whether they are enough. */

/** A rule that requires approvals; `isSolo`: the requester may be one of the approvers. */
export interface Ruled {
  readonly rule: Approval;
  readonly isSolo: boolean;
}

/** Maximum number of mentioned approvers; the others are counted. */
const mostMentioned = 5;

/** The people and groups who can approve, as in `mayApprove`; admins where none is named. Undefined if no one can. */
export function approversIn(
  { rule: { by }, isSolo }: Ruled,
  /** Both are absent for a rule without a request. */
  { admins, requester }: { readonly admins?: readonly string[]; readonly requester?: string } = {},
): Text | undefined {
  const isOther = (subject: string) => isSolo || subject !== `user:${requester}`;
  const all = admins?.map((admin) => `user:${admin}` as const);
  const named = (by.length > 0 ? by : (all ?? [])).filter(isOther);
  const hasOthers = by.length > 0 && all?.some((admin) => isOther(admin) && !by.includes(admin));
  const isOpenToAdmins = all === undefined || hasOthers;
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

export interface KnownPeople {
  readonly admins: readonly string[];
  /** Undefined if Slack did not answer. */
  readonly membersOf: (group: string) => ReadonlySet<string> | undefined;
  /** False for a deactivated account or a bot, which cannot approve. */
  readonly isAble: (user: string) => boolean;
}

/** The people who pass `mayApprove`; undefined if the members of a group are not known. */
export function possibleApprovers({ rule }: Ruled, people: KnownPeople): readonly string[] | undefined {
  const named = peopleNamed(rule.by, people);
  return named && [...new Set([...named, ...people.admins])].filter(people.isAble);
}

function peopleNamed(subjects: readonly string[], { membersOf }: KnownPeople): readonly string[] | undefined {
  const each = subjects.map((subject) =>
    subject.startsWith('user:') ? [subjectId(subject)] : membersOf(subjectId(subject)),
  );
  return each.some((people) => people === undefined) ? undefined : each.flatMap((people) => [...(people ?? [])]);
}

/** The people who can approve a request of this person. */
export function approversBeside(requester: string, { rule, isSolo }: Ruled, possible: readonly string[]) {
  if (!isSolo) return possible.filter((user) => user !== requester);
  return rule.by.length === 0 ? [...new Set([...possible, requester])] : possible;
}

/**
 * Explains a rule that too few people can meet, with the numbers; undefined if enough can, or if it is not known. If
 * only approvers may make requests, one of them is always the requester.
 */
export function sayUnmeetable(ruled: Ruled, grants: readonly Grant[], people: KnownPeople): Text | undefined {
  const possible = possibleApprovers(ruled, people);
  if (possible === undefined) return undefined;
  const { approve, by } = ruled.rule;
  // With solo and no named approvers, any requester is one more approver.
  const most = possible.length + (ruled.isSolo && by.length === 0 ? 1 : 0);
  const needs = `it needs ${count(approve, 'approval')}, and `;
  const can = text(`${count(possible.length, 'person', 'people')} can approve`, namesOf(possible));
  if (most < approve) return text(needs, can, '.');
  const asking = requestersIn(grants, people);
  if (asking === undefined || asking.length === 0) return undefined;
  const isMet = asking.some((requester) => approversBeside(requester, ruled, possible).length >= approve);
  if (isMet) return undefined;
  return text(needs, can, '. Only they may ask here, and nobody approves their own request.');
}

/** The people who may request changes; undefined if anyone may. */
function requestersIn(grants: readonly Grant[], people: KnownPeople): readonly string[] | undefined {
  const changing = grants.filter(({ can }) =>
    can.some((capability) => capability !== 'read' && capability !== 'billing'),
  );
  const subjects = changing.flatMap(({ to }) => to);
  return subjects.includes('everyone') ? undefined : peopleNamed([...new Set(subjects)], people);
}

/** `: @lead, @admin`; empty for no one and for a long list. */
export function namesOf(users: readonly string[]): Text {
  if (users.length === 0 || users.length > 5) return '';
  return text(': ', peopleIn(users));
}
