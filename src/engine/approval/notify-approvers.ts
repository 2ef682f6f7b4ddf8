import { notificationsButton } from '../../core/notifications-button.ts';
import { unansweredMs } from '../../core/operation.ts';
import { noticeOf } from '../../core/policy.ts';
import type { Text, View } from '../../core/view.ts';
import { notificationsOf } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards, titleSpan } from '../operation/card-links.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { maySee } from './review.ts';
import { mayVote, voterOf } from './vote-rules.ts';

const mostNotified = 5;
const kind = 'approvers_notified';

/**
 * Sends a request to the people who can approve it, once: when nobody has answered it for ten minutes, or at once where
 * the rule says so. The messages come before the line in the audit: after a crash in between they are put again under
 * the same keys.
 */
export async function notifyApprovers(context: EngineContext, operation: Operation): Promise<void> {
  const { store, now } = context;
  const notice = noticeOf(operation.rule);
  if (typeof operation.rule !== 'object' || notice === 'none') return;
  if (notice !== 'dm' && now() - operation.createdAt < unansweredMs) return;
  if ((await store.audit.list({ operationId: operation.id, kind, limit: 1 })).length > 0) return;
  const notified = await sendToApprovers(context, operation, `unanswered:${operation.id}`);
  // Nobody, perhaps because Slack did not answer: the next turn looks again.
  if (notified.length === 0) return;
  await context.audit({
    ...entryOf(operation),
    kind,
    actor: undefined,
    text: `sent to the approvers as a direct message: ${operation.plan.title}`,
    data: { people: [...notified] },
    unlessThere: [kind],
  });
}

/** Puts the message for five approvers at most, under this key and the person. Returns who they are. */
export async function sendToApprovers(
  context: EngineContext,
  operation: Operation,
  key: string,
): Promise<readonly string[]> {
  const notified: string[] = [];
  const link = (await linksToCards(context, [operation.id])).get(operation.id);
  for (const user of await candidates(context, operation)) {
    if (notified.length === mostNotified) break;
    if (!(await mayBeNotified(context, operation, user))) continue;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view: waitingForYou(operation, link) });
    notified.push(user);
  }
  return notified;
}

/** The people whom the rule names, and the members of its groups; without any in the rule the admins. */
async function candidates(
  { directory, settings }: Pick<EngineContext, 'directory' | 'settings'>,
  { rule }: Operation,
): Promise<ReadonlySet<string>> {
  const named = typeof rule === 'object' ? rule.by : [];
  if (named.length === 0) return new Set(settings.admins);
  const found = await Promise.all(
    named.map(async (subject) => {
      const id = subject.slice(subject.indexOf(':') + 1);
      return subject.startsWith('user:') ? [id] : [...(await directory.groupMembers(id).catch(() => []))];
    }),
  );
  return new Set(found.flat());
}

async function mayBeNotified(context: EngineContext, operation: Operation, user: string): Promise<boolean> {
  if (user === operation.requester || !(await maySee(context, user, operation))) return false;
  if (!(await notificationsOf(context, user)).isOn) return false;
  const voter = await voterOf(context, operation, user);
  return voter.actor.standing === 'member' && mayVote(operation, voter).ok;
}

function waitingForYou({ id, plan, requester, channel, createdAt }: Operation, link: string | undefined): View {
  const words: Text = [
    titleSpan(plan.title, link),
    ', asked by ',
    { user: requester },
    ' in ',
    { channel },
    ', has waited for approval since ',
    { date: createdAt, style: 'full' },
    '.',
  ];
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
