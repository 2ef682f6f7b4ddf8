import { z } from 'zod';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linkedTitle } from '../operation/card-links.ts';
import type { Operation } from '../operation/record.ts';
import { waitingFor } from '../operation/waiting-for.ts';
import { firstKey, notifiedKind, sendToApprovers } from './notify-approvers.ts';
import { directReminder, isTimed } from './remind.ts';

const notified = z.object({ people: z.array(z.string()) });

/**
 * Removes the Review button from the direct messages about a request that has left `waiting`. Idempotent, as everything
 * in a turn.
 */
export async function closeNotices(context: EngineContext, operation: Operation): Promise<void> {
  await close(context, operation, ' no longer waits for an approval.');
}

/** Updates the direct message of one person whose vote is counted while the request waits for others. */
export async function closeNoticeOf(context: EngineContext, operation: Operation, user: string): Promise<void> {
  await close(context, operation, ' waits for others: your vote is counted.', user);
}

/** Puts the Review button back after the request has returned to `waiting`. */
export async function reopenNotices(context: EngineContext, operation: Operation): Promise<void> {
  const { outbox, store } = context;
  const [line] = await store.audit.list({ operationId: operation.id, kind: notifiedKind, limit: 1 });
  const people = notified.safeParse(line?.data).data?.people ?? [];
  if (people.length > 0) await sendToApprovers(context, operation, firstKey(operation));
  const reminders = (await noticesOf(context, operation)).filter(({ of }) => of !== firstKey(operation));
  for (const of of new Set(reminders.map((reminder) => reminder.of)))
    if (!isTimed(operation, of)) await sendToApprovers(context, operation, of);
  for (const { key, of, user } of reminders)
    if (isTimed(operation, of) && (await waitingFor(context, user, [operation])).length > 0)
      await outbox.put({ key, channel: user, view: await directReminder(context, operation) });
}

/** The direct messages about this request, the first ones and the reminders, each with the key that its person ends. */
async function noticesOf({ store }: Pick<EngineContext, 'store'>, operation: Operation) {
  // Only those that are stored: put again after it was pruned, a message would be posted a second time.
  const sent = await store.messages.beginningWith([`${firstKey(operation)}:`, `remind:${operation.id}:`]);
  // A mention in the thread stays unchanged.
  const direct = sent.filter(({ key, channel }) => key.endsWith(`:${channel}`));
  return direct.map(({ key, channel }) => ({ key, of: key.slice(0, -channel.length - 1), user: channel }));
}

async function close(context: EngineContext, operation: Operation, words: string, only?: string): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  for (const { key, user } of await noticesOf(context, operation)) {
    if (only !== undefined && user !== only) continue;
    const show = { label: 'Show it', intent: { do: 'review', operation: operation.id }, opens: true } as const;
    const view = says([await linkedTitle(context, operation), words], [show]);
    await context.outbox.put({ key, channel: user, view });
  }
}
