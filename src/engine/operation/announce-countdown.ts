import { type Span, says, type Text, text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { notificationsOf, reminderWayOf, wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linkedTitle } from './card-links.ts';
import { recordEntry } from './entry-of.ts';
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
  const title = await linkedTitle(context, operation);
  for (const user of new Set(votes)) {
    if (user === requester) continue;
    const way = reminderWayOf(await notificationsOf(context, user));
    if (way === 'thread') mentioned.push(user);
    if (way !== 'direct') continue;
    const words = text(title, begins, `. ${plan.effect} Until then you can stop it.`);
    const stop = { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' }, style: 'danger' } as const;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view: says(words, [stop]) });
  }
  const names = mentioned.flatMap((user): Span[] => [{ user }, ' ']);
  const words = text(names, { bold: plan.title }, begins, '. Until then everybody who may read this can stop it.');
  await notifyThread(context, operation, key, says(words));
  await recordEntry(context, operation, 'cooling', plan.title, { data: { readyAt }, unlessThere: 'same' });
}
