import type { ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';

/** Events carry this instead of Bolt's acknowledgement, which Bolt sends before anybody has looked at the event. */
export const acknowledgeKey = 'acknowledgeEvent';

const line = z.object({
  type: z.literal('event_callback'),
  event: z.object({ type: z.enum(['message', 'app_mention']) }),
});

/** Bolt acknowledges an event before any listener sees it; a line is acknowledged when it is stored. */
export function later(event: ReceiverEvent): ReceiverEvent {
  if (!line.safeParse(event.body).success) return event;
  const { ack } = event;
  return {
    ...event,
    ack: async () => {},
    customProperties: { ...event.customProperties, [acknowledgeKey]: () => ack() },
  };
}
