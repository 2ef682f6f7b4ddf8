import { unansweredMs } from '../../core/plan/operation.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { notificationsButton } from '../../core/view/notifications-button.ts';
import { says, type Text, text, type View } from '../../core/view/view.ts';
import { askedPeople } from '../access/asked-people.ts';
import { voterOf } from '../access/count-votes.ts';
import { notificationsOf } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { approversOf } from '../operation/approvers.ts';
import { linksToCards, titleSpan } from '../operation/card-links.ts';
import { entryOf } from '../operation/entry-of.ts';
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
  await context.audit({
    ...entryOf(operation),
    kind: notifiedKind,
    actor: undefined,
    text: `sent to the approvers as a direct message: ${operation.plan.title}`,
    data: { people: [...notified] },
    unlessThere: [notifiedKind],
  });
}

/**
 * Mentions the approvers in the card's thread, since the card names them without a mention and no direct message was
 * sent.
 */
async function mentionInstead(context: EngineContext, operation: Operation): Promise<void> {
  const { store, settings } = context;
  const kind = 'approvers_mentioned';
  if ((await store.audit.list({ operationId: operation.id, kind, limit: 1 })).length > 0) return;
  const mention = mentionOfApprovers(operation, settings.admins, '', mentionedHere);
  await notifyThread(context, operation, firstKey(operation), mention);
  await context.audit({
    ...entryOf(operation),
    kind,
    actor: undefined,
    text: `mentioned the approvers, as none could be sent a direct message: ${operation.plan.title}`,
    unlessThere: [kind],
  });
}

const mentionedHere = ' No approver could be sent a direct message, so they are mentioned here.';

/** `Hard reset web-1 needs 1 approval: @ops can approve until today 4:14.` */
export function mentionOfApprovers(
  operation: Operation,
  admins: readonly string[],
  still: '' | 'still ',
  more = '',
): View {
  const until: Text = operation.expiresAt === null ? '' : [' until ', { date: operation.expiresAt, style: 'full' }];
  return says(
    text(
      { bold: operation.plan.title },
      ` ${still}${sayWaiting(operation.rule)}: `,
      approversOf(operation, admins),
      ' can approve',
      until,
      `.${more}`,
    ),
  );
}

/** Puts the message for at most five approvers, keyed by `key` and the user. Returns the notified users. */
export async function sendToApprovers(
  context: EngineContext,
  operation: Operation,
  key: string,
  /** The only people to send it to. */
  among?: readonly string[],
): Promise<readonly string[]> {
  const notified: string[] = [];
  const link = (await linksToCards(context, [operation.id])).get(operation.id);
  for (const user of among ?? (await askedPeople(context, operation))) {
    if (notified.length === mostNotified) break;
    if (!(await mayBeNotified(context, operation, user))) continue;
    if (!(await notificationsOf(context, user)).isOn) continue;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view: waitingForYou(operation, link) });
    notified.push(user);
  }
  return notified;
}

export async function mayBeNotified(context: EngineContext, operation: Operation, user: string): Promise<boolean> {
  if (user === operation.requester || !(await maySee(context, user, operation))) return false;
  const voter = await voterOf(context, operation, user);
  return voter.actor.standing === 'member' && mayVote(operation, voter).ok;
}

function waitingForYou(operation: Operation, link: string | undefined): View {
  const since: Text = ['has waited for approval since ', { date: operation.createdAt, style: 'full' }];
  return askToReview(operation, link, since);
}

/** `Hard reset web-1, asked by @operator in #ops, has waited …`, with a button that opens it. */
export function askToReview({ id, plan, requester, channel }: Operation, link: string | undefined, waits: Text): View {
  const asked: Text = [titleSpan(plan.title, link), ', asked by ', { user: requester }, ' in ', { channel }, ', '];
  const words = text(asked, waits, '.');
  return {
    summary: words,
    parts: [
      { kind: 'text', text: words },
      { kind: 'context', text: plan.effect },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Review…', intent: { do: 'review', operation: id }, style: 'primary', opens: true },
          notificationsButton,
        ],
      },
    ],
  };
}
