import { joined, says, text, type View } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { PutMessage } from '../context/outbox.ts';
import type { Operation } from './read-operation.ts';

/** True if the channel was shared or made public since an admin last confirmed its rights: strangers may read it. */
export async function isOverheard(context: EngineContext, channel: string): Promise<boolean> {
  const standing = await context.policies.standing(channel);
  return standing === 'shared' || standing === 'became_public';
}

/** Posts in the thread of the card; where strangers can read, to the requester and the audit channel instead. */
export async function notifyThread(context: EngineContext, operation: Operation, key: string, view: View) {
  const overheard = await isOverheard(context, operation.channel);
  for (const message of threadMessages(context, operation, key, view, overheard)) await context.outbox.put(message);
}

export function inThreadOf(id: string, thread: string | null | undefined): Pick<PutMessage, 'parentKey' | 'threadTs'> {
  return thread == null ? { parentKey: `card:${id}` } : { threadTs: thread };
}

export function threadMessages(
  { settings: { auditChannel } }: EngineContext,
  { id, channel, thread, requester }: Operation,
  key: string,
  view: View,
  isOverheard: boolean,
): readonly PutMessage[] {
  if (!isOverheard) {
    return [{ key, channel, ...inThreadOf(id, thread), view }];
  }
  const audit = auditChannel ? [{ key: `audit:${key}`, channel: auditChannel, view }] : [];
  return [{ key, channel: requester, view }, ...audit];
}

/**
 * Notifies each other channel whose grants cover more targets after a change, before the change and after it. The
 * message quotes the channel's grants and names no target, since its members may not be allowed to read any.
 */
export async function postToWidenedChannels(
  context: EngineContext,
  { id, channel: here, requester, plan }: Operation,
  when: 'asked' | 'done',
): Promise<void> {
  for (const { channel, grants } of plan.widens ?? []) {
    if (channel === here || (await isOverheard(context, channel))) continue;
    const quoted = joined(grants, ', ');
    const [did, after, rest] =
      when === 'asked'
        ? ['asks', 'for a change after which', 'would include more. An admin decides.']
        : [
            'changed something',
            'after which',
            'includes more than before; it was approved. /host access shows the grants.',
          ];
    const words = text({ user: requester }, ` ${did} in `, { channel: here }, ` ${after} `, quoted, ` ${rest}`);
    await context.outbox.put({ key: `widened:${when}:${id}:${channel}`, channel, view: says(words) });
  }
}
