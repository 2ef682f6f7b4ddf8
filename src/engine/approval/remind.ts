import { noticeOf } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says, type View } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import type { Request } from '../context/request.ts';
import { remindEveryMs } from '../context/time-limits.ts';
import { entryOf } from '../operation/entry-of.ts';
import { readOperation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { mentionOfApprovers, sendToApprovers } from './notify-approvers.ts';

/**
 * Notifies the approvers again, at most once in ten minutes: by direct message if the rule says so, else by a mention
 * in the card's thread. Returns the answer for the person who clicked.
 */
export async function remind(context: EngineContext, request: Request, id: string): Promise<View> {
  const { store, settings } = context;
  const row = await store.operations.find(id);
  const operation = row && readOperation(row);
  if (operation?.state !== 'waiting' || typeof operation.rule !== 'object')
    throw new Refusal('closed', 'This request no longer waits for an approval.');
  if (request.actor !== operation.requester && !settings.admins.includes(request.actor))
    throw new Refusal('not_yours', 'Only the person who asked, or an admin, can remind the approvers.');
  const notice = noticeOf(operation.rule);
  if (notice === 'none')
    throw new Refusal('impossible', 'The rule of this channel notifies no approver: talk to one of them.');
  const lease = `remind:${id}`;
  if (!(await store.leases.acquire(lease, request.id, remindEveryMs))) return tooSoon(context, id);
  const key = `remind:${id}:${operationId(request.id)}`;
  await context.audit({
    ...entryOf(operation),
    kind: 'reminded',
    actor: request.actor,
    text: `reminded the approvers: ${operation.plan.title}`,
    data: { key },
  });
  const later = 'You can remind them again in 10 minutes.';
  const { length } = notice === 'dm' ? await sendToApprovers(context, operation, key) : [];
  if (length > 0) return says(`A direct message was sent to ${count(length, 'approver')}. ${later}`);
  await notifyThread(context, operation, key, mentionOfApprovers(operation, settings.admins, 'still '));
  const why = notice === 'dm' ? 'No approver could be sent a direct message. ' : '';
  return says(`${why}The approvers were reminded in the thread of the card. ${later}`);
}

async function tooSoon({ store }: Pick<EngineContext, 'store'>, id: string): Promise<View> {
  const [last] = await store.audit.list({ operationId: id, kind: 'reminded', limit: 1 });
  if (last === undefined) return says('The approvers were reminded a moment ago.');
  return says([
    'The approvers were last reminded ',
    { date: last.at, style: 'full' },
    '. You can remind them again ',
    { date: last.at + remindEveryMs, style: 'full' },
    '.',
  ]);
}
