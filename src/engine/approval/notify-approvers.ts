import { unansweredMs } from '../../core/plan/operation.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { type Button, notificationsButton, says, type Text, text, type View } from '../../core/view/view.ts';
import { askedPeople } from '../access/asked-people.ts';
import { voterOf } from '../access/count-votes.ts';
import { notificationsOf } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { approversOf } from '../operation/approvers.ts';
import { linkedTitle } from '../operation/card-links.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { mayVote } from '../operation/vote-rules.ts';
import { maySee } from './review.ts';

export const mostNotified = 5;
export const notifiedKind = 'approvers_notified';

export const firstKey = ({ id }: Pick<Operation, 'id'>): string => `unanswered:${id}`;

/**
 * Sends a request to its approvers once: after ten minutes without a vote, or at once if the rule says so. The messages
 * come before the audit entry: after a crash in between, they are put again under the same keys.
 */
export async function notifyApprovers(context: EngineContext, operation: Operation): Promise<void> {
  const { store, now } = context;
  const notice = noticeOf(operation.rule);
  if (typeof operation.rule !== 'object' || notice === 'none') return;
  if (notice !== 'dm' && now() - operation.createdAt < unansweredMs) return;
  if ((await store.audit.list({ operationId: operation.id, kind: notifiedKind, limit: 1 })).length > 0) return;
  const notified = await sendToApprovers(context, operation, firstKey(operation));
  // If no one was notified, perhaps because Slack did not answer, the next turn tries again.
  if (notified.length === 0) return notice === 'dm' ? mentionInstead(context, operation) : undefined;
  const done = `sent to the approvers as a direct message: ${operation.plan.title}`;
  const data = { people: [...notified] };
  await recordEntry(context, operation, notifiedKind, done, { actor: undefined, data, unlessThere: [notifiedKind] });
}

/**
 * Mentions the approvers in the card's thread, since the card names them without a mention and no direct message was
 * sent.
 */
async function mentionInstead(context: EngineContext, operation: Operation): Promise<void> {
  const { store, settings } = context;
  const kind = 'approvers_mentioned';
  if ((await store.audit.list({ operationId: operation.id, kind, limit: 1 })).length > 0) return;
  const more = ' No approver could be sent a direct message, so they are mentioned here.';
  await notifyThread(context, operation, firstKey(operation), mentionOfApprovers(operation, settings.admins, '', more));
  const done = `mentioned the approvers, as none could be sent a direct message: ${operation.plan.title}`;
  await recordEntry(context, operation, kind, done, { actor: undefined, unlessThere: [kind] });
}

/** `Hard reset web-1 needs 1 approval: @ops can approve until today 4:14.` */
export function mentionOfApprovers(
  operation: Operation,
  admins: readonly string[],
  still: '' | 'still ',
  more = '',
): View {
  const { expiresAt, plan, rule } = operation;
  const until: Text = expiresAt === null ? '' : [' until ', { date: expiresAt, style: 'full' }];
  const asks = ` ${still}${sayWaiting(rule)}: `;
  return says(text({ bold: plan.title }, asks, approversOf(operation, admins), ' can approve', until, `.${more}`));
}

/** Puts the message for at most five approvers, keyed by `key` and the user. Returns the notified users. */
export async function sendToApprovers(
  context: EngineContext,
  operation: Operation,
  key: string,
): Promise<readonly string[]> {
  const notified: string[] = [];
  const since: Text = ['has waited for approval since ', { date: operation.createdAt, style: 'full' }];
  const view = await askToReview(context, operation, since);
  for (const user of await askedPeople(context, operation)) {
    if (notified.length === mostNotified) break;
    if (!(await mayBeNotified(context, operation, user))) continue;
    if (!(await notificationsOf(context, user)).isOn) continue;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view });
    notified.push(user);
  }
  return notified;
}

export async function mayBeNotified(context: EngineContext, operation: Operation, user: string): Promise<boolean> {
  if (user === operation.requester || !(await maySee(context, user, operation))) return false;
  const voter = await voterOf(context, operation, user);
  return voter.actor.standing === 'member' && mayVote(operation, voter).ok;
}

/** `Hard reset web-1, asked by @operator in #ops, has waited …`, with a button that opens it. */
export async function askToReview(context: EngineContext, operation: Operation, waits: Text): Promise<View> {
  const { id, plan, requester, channel } = operation;
  const title = await linkedTitle(context, operation);
  const { summary, parts } = says(
    text(title, ', asked by ', { user: requester }, ' in ', { channel }, ', ', waits, '.'),
  );
  const review: Button = { label: 'Review…', intent: { do: 'review', operation: id }, style: 'primary', opens: true };
  const buttons = { kind: 'buttons', buttons: [review, notificationsButton] } as const;
  return { summary, parts: [...parts, { kind: 'context', text: plan.effect }, buttons] };
}
