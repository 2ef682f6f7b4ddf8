import { z } from 'zod';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards, titleSpan } from '../operation/card-links.ts';
import type { Operation } from '../operation/record.ts';
import { noticeKey, notifiedKind, sendToApprovers } from './notify-approvers.ts';

const notified = z.object({ people: z.array(z.string()) });

/** Takes the button out of the direct messages about a request that waits no more. Idempotent, as everything in a turn. */
export async function closeNotices(context: EngineContext, operation: Operation): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  for (const user of await notifiedOf(context, operation))
    await close(context, operation, user, ' no longer waits for an approval.');
}

/** It waits again: the people who were sent it find the button there once more. */
export async function reopenNotices(context: EngineContext, operation: Operation): Promise<void> {
  if ((await notifiedOf(context, operation)).length > 0)
    await sendToApprovers(context, operation, `unanswered:${operation.id}`);
}

async function notifiedOf({ store }: EngineContext, { id }: Operation): Promise<readonly string[]> {
  const [line] = await store.audit.list({ operationId: id, kind: notifiedKind, limit: 1 });
  return notified.safeParse(line?.data).data?.people ?? [];
}

/** The same for one person whose vote is counted, while others are still waited for. */
export async function closeNoticeOf(context: EngineContext, operation: Operation, user: string): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  if ((await context.store.messages.find(noticeKey(operation, user))) === undefined) return;
  await close(context, operation, user, ' waits for others: your vote is counted.');
}

async function close(context: EngineContext, operation: Operation, user: string, words: string): Promise<void> {
  const link = (await linksToCards(context, [operation.id])).get(operation.id);
  const view = says(
    [titleSpan(operation.plan.title, link), words],
    [{ label: 'Show it', intent: { do: 'review', operation: operation.id }, opens: true }],
  );
  await context.outbox.put({ key: noticeKey(operation, user), channel: user, view });
}
