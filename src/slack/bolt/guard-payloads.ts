import type { App } from '@slack/bolt';
import type { SlackLog } from '../log.ts';
import { acknowledgeLate } from './late-acknowledgement.ts';

/**
 * Checks bodies before Bolt, which reads them outside of any catch: an event that is a string throws (bolt 5.1.0,
 * helpers.js, getTypeAndConversation), and the payload is not acknowledged. Also refuses payloads once the bot stops.
 */
export function guardPayloads(app: App, log: SlackLog, isShut: () => boolean): void {
  const processEvent = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    if (isShut()) return;
    try {
      await processEvent(acknowledgeLate(event));
    } catch (error) {
      log.error({ err: error }, 'Slack sent something that could not be read');
      await event.ack().catch(() => {});
    }
  };
}
