import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linkToNewCard, titleSpan } from '../operation/card-links.ts';
import type { Operation } from '../operation/record.ts';
import type { CommandRequest } from './command-request.ts';

/** Tells the requester where the card is, if it is elsewhere. */
export async function sayWhere(
  context: Pick<EngineContext, 'directory' | 'messenger' | 'store'>,
  { place, from = place, actor }: CommandRequest,
  { id, channel, plan }: Pick<Operation, 'id' | 'channel' | 'plan'>,
) {
  if (channel === from.channel && from.dialog === undefined) return;
  const title = titleSpan(plan.title, await linkToNewCard(context, id));
  const words = says(
    channel === from.channel
      ? ['Requested in ', { channel }, ': ', title, '.']
      : ['Requested in ', { channel }, ': ', title, '. The rules of that channel decide.'],
    [{ label: 'Show it', intent: { do: 'review', operation: id }, opens: true }],
  );
  await context.messenger.postEphemeral(from, actor, words);
}
