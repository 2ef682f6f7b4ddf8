import type { AllMiddlewareArgs, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';

/** Events carry this instead of Bolt's acknowledgement. */
const acknowledgeKey = 'acknowledgeEvent';

/** Events that Slack must deliver again until they are stored. */
const stored = z.object({
  type: z.literal('event_callback'),
  event: z.object({ type: z.enum(['message', 'app_mention', 'channel_id_changed']) }),
});

/**
 * Bolt acknowledges an event before any listener sees it (bolt 5.1.0, App.js, processEvent). What somebody said, and
 * where a channel moved, is acknowledged when it is stored: until then Slack is to deliver it again.
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
