import type { View } from '../core/view.ts';
import type { Kit } from './kit.ts';
import type { Operation } from './records.ts';

/** The channel was shared, or made public, since an admin last said that its rights hold: strangers may read along. */
export async function isOverheard(kit: Kit, channel: string): Promise<boolean> {
  const standing = await kit.policies.standing(channel);
  return standing === 'shared' || standing === 'became_public';
}

/** In the thread of the operation's card; where others can read along now, to who asked and to the audit channel instead. */
export async function tellInThread(kit: Kit, operation: Operation, key: string, view: View): Promise<void> {
  const { id, channel, thread, requester } = operation;
  if (await isOverheard(kit, channel)) {
    await kit.messages.put({ key, channel: requester, view });
    const { auditChannel } = kit.deps.settings;
    if (auditChannel) await kit.messages.put({ key: `audit:${key}`, channel: auditChannel, view });
    return;
  }
  const where = thread === null ? { parent: `card:${id}` } : { threadTs: thread };
  await kit.messages.put({ key, channel, ...where, view });
}
