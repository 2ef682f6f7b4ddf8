import { z } from 'zod';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards, titleSpan } from '../operation/card-links.ts';
import type { Operation } from '../operation/record.ts';
import { firstKey, notifiedKind, sendToApprovers } from './notify-approvers.ts';
import { reminderKeys, reopenReminders } from './remind-missing.ts';

const remindedAs = z.object({ key: z.string() });
/** More than one request can have: one reminder in ten minutes, for a day. */
const mostReminders = 200;

const notified = z.object({ people: z.array(z.string()) });

/**
 * Removes the Review button from the direct messages about a request that has left `waiting`. Idempotent, as everything
 * in a turn.
 */
export async function closeNotices(context: EngineContext, operation: Operation): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  for (const notice of await noticesOf(context, operation))
    await close(context, operation, notice, ' no longer waits for an approval.');
}

/** Puts the Review button back after the request has returned to `waiting`. */
export async function reopenNotices(context: EngineContext, operation: Operation): Promise<void> {
  if ((await notifiedOf(context, operation)).length > 0) await sendToApprovers(context, operation, firstKey(operation));
  for (const key of await remindersOf(context, operation))
    if ((await context.store.messages.beginningWith([`${key}:`])).length > 0)
      await sendToApprovers(context, operation, key);
  await reopenReminders(context, operation);
}

interface Notice {
  readonly key: string;
  readonly user: string;
}

/** The direct messages about this request: the first ones and the reminders. */
async function noticesOf(context: EngineContext, operation: Operation): Promise<readonly Notice[]> {
  const keys = [firstKey(operation), ...(await remindersOf(context, operation)), ...reminderKeys(operation)];
  // Only those that are stored: put again after it was pruned, a message would be posted a second time.
  const sent = await context.store.messages.beginningWith(keys.map((key) => `${key}:`));
  // A mention in the thread stays unchanged.
  const direct = sent.filter(({ channel }) => channel !== operation.channel);
  return direct.map(({ key, channel }) => ({ key, user: channel }));
}

async function remindersOf({ store }: EngineContext, { id }: Operation): Promise<readonly string[]> {
  const lines = await store.audit.list({ operationId: id, kind: 'reminded', limit: mostReminders });
  return lines.flatMap(({ data }) => remindedAs.safeParse(data).data?.key ?? []);
}

async function notifiedOf({ store }: EngineContext, { id }: Operation): Promise<readonly string[]> {
  const [line] = await store.audit.list({ operationId: id, kind: notifiedKind, limit: 1 });
  return notified.safeParse(line?.data).data?.people ?? [];
}

/** Updates the direct message of one person whose vote is counted while the request waits for others. */
export async function closeNoticeOf(context: EngineContext, operation: Operation, user: string): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  for (const notice of (await noticesOf(context, operation)).filter((candidate) => candidate.user === user))
    await close(context, operation, notice, ' waits for others: your vote is counted.');
}

async function close(
  context: EngineContext,
  operation: Operation,
  { key, user }: Notice,
  words: string,
): Promise<void> {
  const link = (await linksToCards(context, [operation.id])).get(operation.id);
  const view = says(
    [titleSpan(operation.plan.title, link), words],
    [{ label: 'Show it', intent: { do: 'review', operation: operation.id }, opens: true }],
  );
  await context.outbox.put({ key, channel: user, view });
}
