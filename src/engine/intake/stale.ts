import { notice } from '../../core/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';

/**
 * A change that was asked for too long ago to be begun by surprise. It was acknowledged, so whoever asked is owed an answer:
 * a message that waits for Slack if it has to, and a line in the audit.
 */
export async function notifyStale(context: EngineContext, { id, actor, place, ask }: Request): Promise<void> {
  const what = ask.kind === 'line' ? `/host ${ask.line}` : ask.kind === 'intent' ? 'a click' : 'a form';
  await context.audit({
    kind: 'not_started',
    actor,
    channel: place.channel,
    text: `${what}: taken in while the bot was stopping, and taken up too late`,
    data: { request: id },
    unlessThere: 'same',
  });
  const text = `The bot was offline when you sent an earlier request (${what}). It was not started; send it again if you still need it.`;
  await context.outbox.put({ key: `stale:${id}`, channel: actor, view: notice('warning', text) });
}
