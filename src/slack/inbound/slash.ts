import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { undoSlack } from '../../core/grammar/typed.ts';
import { type IncomingPayload, id, placeOf, readPayload, responseUrl } from './incoming.ts';

const slash = z.object({
  text: z.string().default(''),
  user_id: id,
  channel_id: id,
  trigger_id: id,
  response_url: responseUrl.optional(),
});

/** A trigger id is made once for each time somebody sends the command. */
export function readSlash(payload: unknown, now: number): IncomingPayload {
  const { text, user_id, channel_id, trigger_id, response_url } = readPayload('command', slash, payload);
  return {
    request: {
      id: `slash:${trigger_id}`.slice(0, 200),
      actor: user_id,
      place: placeOf(channel_id),
      at: now,
      ask: { kind: 'line', line: undoSlack(text).trim() },
    },
    trigger: trigger_id,
    opens: false,
    ...defined({ responseUrl: response_url }),
  };
}
