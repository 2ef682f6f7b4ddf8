import { says, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';
import { isOverheard } from './thread.ts';

/**
 * Notifies each other channel whose grants cover more targets after a change, before the change and after it. The message quotes the channel's grants and names no target, since its members may
 * not be allowed to read any.
 */
export async function postToWidenedChannels(
  context: Pick<EngineContext, 'outbox' | 'policies'>,
  { id, channel: here, requester, plan }: Operation,
  when: 'asked' | 'done',
): Promise<void> {
  for (const { channel, grants } of plan.widens ?? []) {
    if (channel === here || (await isOverheard(context, channel))) continue;
    const quoted = grants.flatMap((grant, index) => [...(index === 0 ? [] : [', ']), ...text(grant)]);
    const words =
      when === 'asked'
        ? text([{ user: requester }, ' asks in ', { channel: here }], ' for a change after which ', quoted)
        : text([{ user: requester }, ' changed something in ', { channel: here }], ' after which ', quoted);
    const rest =
      when === 'asked'
        ? ` would include more. An admin decides.`
        : ` includes more than before; it was approved. /host access shows the grants.`;
    await context.outbox.put({ key: `widened:${when}:${id}:${channel}`, channel, view: says(text(words, rest)) });
  }
}
