import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { messageWords, textOfMessage } from './message-text.ts';
import {
  type IncomingPayload,
  id,
  isGroupDirect,
  person,
  placeOf,
  readPayload,
  requestId,
  responseUrl,
} from './read-payload.ts';

/** The shortcuts' callback ids in the manifest. */
export const shortcuts = { ask: 'hostler_ask', about: 'hostler_about' } as const;

const shortcutPayload = z.object({ type: z.literal('shortcut'), user: person, trigger_id: id });

const about = z.object({
  type: z.literal('message_action'),
  user: person,
  trigger_id: id,
  channel: z.object({ id, name: z.string().default('') }),
  message_ts: id.optional(),
  message: messageWords.extend({ ts: id, thread_ts: z.string().optional() }),
  response_url: responseUrl.optional(),
});

const shortcut = z.discriminatedUnion('type', [shortcutPayload, about]);

export function readShortcut(payload: unknown, now: number): IncomingPayload {
  const read = readPayload('shortcut', shortcut, payload);
  const base = { actor: read.user.id, at: now, id: requestId(`shortcut:${read.trigger_id}`) };
  if (read.type === 'shortcut') {
    // A global shortcut has no channel.
    return {
      request: { ...base, place: { channel: '', kind: 'modal' }, ask: { kind: 'ask' } },
      trigger: read.trigger_id,
      opens: true,
    };
  }
  const { ts, thread_ts } = read.message;
  return {
    request: {
      ...base,
      place: {
        ...placeOf(read.channel.id, { thread: thread_ts ?? ts }),
        // Slack sends the thread of a message only if it has replies.
        ...(thread_ts === undefined ? { isThreadEmpty: true } : {}),
      },
      ask: { kind: 'about', text: textOfMessage(read.message) },
    },
    trigger: read.trigger_id,
    opens: true,
    ...(isGroupDirect(read.channel.name) ? { isGroupDirect: true } : {}),
    ...defined({ responseUrl: read.response_url }),
  };
}
