import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { undoSlack, withoutHost } from '../../core/text/undo-typing.ts';
import {
  type IncomingPayload,
  id,
  isGroupDirect,
  placeOf,
  readPayload,
  requestId,
  responseUrl,
} from './read-payload.ts';

const slash = z.object({
  text: z.string().default(''),
  user_id: id,
  channel_id: id,
  channel_name: z.string().default(''),
  trigger_id: id,
  response_url: responseUrl.optional(),
});

/** Reads a slash command. Its trigger id is unique for each time a person sends the command. */
export function readSlash(payload: unknown, now: number): IncomingPayload {
  const { text, user_id, channel_id, channel_name, trigger_id, response_url } = readPayload('command', slash, payload);
  return {
    request: {
      id: requestId(`slash:${trigger_id}`),
      actor: user_id,
      place: placeOf(channel_id),
      at: now,
      ask: { kind: 'line', line: withoutHost(undoSlack(text)) },
    },
    trigger: trigger_id,
    opens: false,
    ...(isGroupDirect(channel_name) ? { isGroupDirect: true } : {}),
    ...defined({ responseUrl: response_url }),
  };
}
