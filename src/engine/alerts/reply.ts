import type { Text, View } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** A reply in the thread of a message: Slack notifies nobody of an edit. The same key again posts nothing. */
export async function replyTo(
  { outbox }: Pick<EngineContext, 'outbox'>,
  channel: string,
  message: string,
  key: string,
  words: Text,
): Promise<void> {
  const parent = `alert:${message}`;
  const view: View = { summary: words, parts: [{ kind: 'text', text: words }] };
  await outbox.put({ key: `${parent}:${key}`, channel, parent, view });
}
