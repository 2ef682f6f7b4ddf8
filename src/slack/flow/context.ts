import type { Engine, Messenger } from '../../engine/context/ports.ts';
import type { Place } from '../../engine/context/request.ts';
import type { SlackDirectory } from '../directory.ts';
import type { Self } from '../inbound/event.ts';
import type { SlackLog } from '../log.ts';
import type { Modals } from '../outbound/modals.ts';
import type { ResponseUrls } from '../response-urls.ts';
import type { Web } from '../web.ts';
import type { Outage } from './outage.ts';

/** The dependencies of all flows between Slack and the engine. */
export interface FlowContext {
  readonly engine: Engine;
  readonly messenger: Messenger;
  readonly directory: SlackDirectory;
  readonly modals: Modals;
  readonly urls: ResponseUrls;
  readonly web: Web;
  readonly outage: Outage;
  readonly log: SlackLog;
  readonly self: Self;
}

/** Acknowledges a payload; false if the connection was lost, in which case Slack delivers the payload again. */
export type Ack = (answer?: unknown) => Promise<boolean>;

/** Slack waits three seconds for an acknowledgement. */
export const storeWithinMs = 2_000;
export const answerWithinMs = 2_500;

/** Posts a private note. A failure is only logged. */
export async function postEphemeral(context: FlowContext, place: Place, user: string, text: string): Promise<void> {
  try {
    await context.messenger.postEphemeral(place, user, {
      summary: text,
      parts: [{ kind: 'notice', tone: 'warning', text }],
    });
  } catch (error) {
    context.log.warn({ err: error }, 'could not send a private message');
  }
}
