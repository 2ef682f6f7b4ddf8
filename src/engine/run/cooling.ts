import { waitMsOf } from '../../core/policy/policy.ts';
import { minute } from '../../core/text/words.ts';
import { type Span, says, type Text, text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { notificationsOf, reminderWayOf, wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards, titleSpan } from '../operation/card-links.ts';
import { redraw } from '../operation/create.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';

/** The countdown between the approvals and a request that destroys something. */

/** The clock that all replicas share. */
export interface DueClock {
  readonly dueTime: () => number;
}

/** 0 for a change of the bot itself, and for one that can be withdrawn until it takes effect. */
export function coolingMsOf({ rule, plan }: Pick<Operation, 'rule' | 'plan'>): number {
  const destroys = plan.isRevocable !== true && plan.targets.some(({ kind }) => kind !== 'channel');
  return destroys ? waitMsOf(rule) : 0;
}

/** True if it has to count down first. It counts down once for its approvals. */
export function mustCool(operation: Operation): boolean {
  return operation.readyAt === null && operation.stopBy === null && coolingMsOf(operation) > 0;
}

/** The end of the countdown is by the clock that all replicas share. A scheduled request counts down to its hour. */
export async function cool(context: EngineContext, operation: Operation, { dueTime }: DueClock): Promise<'next'> {
  const { store } = context;
  const readyAt = Math.max(Math.round(dueTime() + coolingMsOf(operation)), operation.startsAt ?? 0);
  await store.operations.move(operation.id, 'approved', 'cooling', { readyAt, delayWhy: null });
  await store.locks.release(operation.id);
  return 'next';
}

/** Counts down on the card, or returns the request to the checks before the first write: at the end, and if stopped. */
export async function countDown(
  context: EngineContext,
  operation: Operation,
  { dueTime }: DueClock,
): Promise<number | 'next'> {
  const leftMs = (operation.readyAt ?? 0) - dueTime();
  if (operation.stopBy !== null || leftMs <= 0) {
    await context.store.operations.move(operation.id, 'cooling', 'approved');
    return 'next';
  }
  await announce(context, operation);
  await redraw(context, operation.id);
  // The card changes with each full minute that is left.
  return Math.max(1, leftMs % minute || minute);
}

/** Notifies once. The messages come before the audit: after a crash in between, they are put again under the same keys. */
async function announce(context: EngineContext, operation: Operation): Promise<void> {
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
