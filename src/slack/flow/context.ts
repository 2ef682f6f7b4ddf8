import type { Engine, Messenger } from '../../engine/context/ports.ts';
import type { Place } from '../../engine/context/request.ts';
import type { SlackDirectory } from '../directory.ts';
import type { Self } from '../inbound/event.ts';
import type { SlackLog } from '../log.ts';
import type { Modals } from '../outbound/modals.ts';
import type { ResponseUrls } from '../outbound/response-urls.ts';
import type { Web } from '../web.ts';
import type { Outage } from './outage.ts';

/** Everything that the flows between Slack and the engine share. */
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

/** Acknowledges; false when the connection was gone, and then Slack delivers the payload again. */
export type Ack = (answer?: unknown) => Promise<boolean>;

/** Slack gives three seconds. */
export const storeWithinMs = 2_000;
export const answerWithinMs = 2_500;

/** For what is said on the side: that it could not be said is logged and stops nothing. */
export async function postEphemeral(context: FlowContext, place: Place, user: string, text: string): Promise<void> {
  try {
    await context.messenger.postEphemeral(place, user, {
      summary: text,
      parts: [{ kind: 'notice', tone: 'warning', text }],
    });
  } catch (error) {
    context.log.warn({ err: error }, 'a private sentence could not be said');
  }
}
