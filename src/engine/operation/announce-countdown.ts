import { type Span, says, type Text, text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { notificationsOf, reminderWayOf, wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards, titleSpan } from './card-links.ts';
import { entryOf } from './entry-of.ts';
import type { Operation } from './record.ts';
import { notifyThread } from './thread.ts';

/**
 * Notifies once of the countdown before a request that destroys something. The messages come before the audit: after a
 * crash in between, they are put again under the same keys.
 */
export async function announceCountdown(context: EngineContext, operation: Operation): Promise<void> {
  const { id, readyAt, plan, requester } = operation;
  const [last] = await context.store.audit.list({ operationId: id, kind: 'cooling', limit: 1 });
  if (last !== undefined && JSON.stringify(last.data).includes(`"readyAt":${readyAt}`)) return;
  const begins: Text = [' begins ', { date: readyAt ?? 0, style: 'full' }];
  const key = `cooling:${id}:${readyAt}`;
  const votes = countingVotes(await context.store.votes.list(id)).map(({ userId }) => userId);
  const mentioned: string[] = (await wantsEndMention(context, operation)) ? [requester] : [];
  const link = (await linksToCards(context, [id])).get(id);
  for (const user of new Set(votes)) {
    if (user === requester) continue;
    const way = reminderWayOf(await notificationsOf(context, user));
    if (way === 'thread') mentioned.push(user);
    if (way !== 'direct') continue;
    const words = text(titleSpan(plan.title, link), begins, `. ${plan.effect} Until then you can stop it.`);
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view: says(words, [stopButton(id)]) });
  }
  const names = mentioned.flatMap((user): Span[] => [{ user }, ' ']);
  await notifyThread(
    context,
    operation,
    key,
    says(text(names, { bold: plan.title }, begins, '. Until then everybody who may read this can stop it.')),
  );
  await context.audit({
    ...entryOf(operation),
    kind: 'cooling',
    text: plan.title,
    data: { readyAt },
    unlessThere: 'same',
  });
}

function stopButton(id: string) {
  return { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' }, style: 'danger' } as const;
}
