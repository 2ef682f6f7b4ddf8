import type { AllMiddlewareArgs, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';

/** The key under which an event carries its acknowledgement past Bolt. */
const acknowledgeKey = 'acknowledgeEvent';

/** Events that Slack must deliver again until they are stored. */
const stored = z.object({
  type: z.literal('event_callback'),
  event: z.object({ type: z.enum(['message', 'app_mention', 'channel_id_changed']) }),
});

/**
 * Delays the acknowledgement of messages and of moved channels until they are stored, so that Slack delivers them again
 * otherwise. Bolt acknowledges an event before any listener sees it (bolt 5.1.0, App.js, processEvent).
 */
export function acknowledgeLate(event: ReceiverEvent): ReceiverEvent {
  if (!stored.safeParse(event.body).success) return event;
  const { ack } = event;
  return {
    ...event,
    ack: async () => {},
    customProperties: { ...event.customProperties, [acknowledgeKey]: () => ack() },
  };
}

export function lateAcknowledgement(context: AllMiddlewareArgs['context']): unknown {
  return context[acknowledgeKey];
}
