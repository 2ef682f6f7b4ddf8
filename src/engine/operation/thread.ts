import type { View } from '../../core/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

/** The channel was shared, or made public, since an admin last said that its rights hold: strangers may read along. */
export async function isOverheard(context: EngineContext, channel: string): Promise<boolean> {
  const standing = await context.policies.standing(channel);
  return standing === 'shared' || standing === 'became_public';
}

/** In the thread of the operation's card; where others can read along now, to who asked and to the audit channel instead. */
export async function notifyThread(
  context: EngineContext,
  operation: Operation,
  key: string,
  view: View,
): Promise<void> {
  const { id, channel, thread, requester } = operation;
  if (await isOverheard(context, channel)) {
    await context.outbox.put({ key, channel: requester, view });
    const { auditChannel } = context.settings;
    if (auditChannel) await context.outbox.put({ key: `audit:${key}`, channel: auditChannel, view });
    return;
  }
  const where = thread === null ? { parent: `card:${id}` } : { threadTs: thread };
  await context.outbox.put({ key, channel, ...where, view });
}
