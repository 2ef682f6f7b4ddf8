import type { AllMiddlewareArgs, App, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../../engine/context/dependencies.ts';

/** The kind of a payload: Bolt's name for it among a middleware's arguments, for modals with the person's action. */
export type PayloadKind = 'command' | 'action' | 'shortcut' | 'options' | 'view_submission' | 'view_closed' | 'event';

export interface AnyPayload {
  /** Undefined if Bolt has no name for the payload. */
  readonly kind: PayloadKind | undefined;
  readonly body: unknown;
  /** The number of earlier deliveries, according to Slack. */
  readonly retries: number;
  readonly acknowledge: (answer?: unknown) => Promise<unknown>;
}

/**
 * Checks bodies before Bolt, which reads them outside of any catch: an event that is a string throws (bolt 5.1.0,
 * helpers.js, getTypeAndConversation), and the payload is not acknowledged. Also refuses payloads once the bot stops.
 */
export function guardPayloads(app: App, log: Log, isShut: () => boolean): void {
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
function acknowledgeLate(event: ReceiverEvent): ReceiverEvent {
  if (!stored.safeParse(event.body).success) return event;
  const { ack } = event;
  return {
    ...event,
    ack: async () => {},
    customProperties: { ...event.customProperties, [acknowledgeKey]: () => ack() },
  };
}

/**
 * Handles all payloads in one middleware instead of Bolt's listeners: over a socket Bolt does not acknowledge payloads
 * without a matching listener, and the person sees an error (bolt 5.1.0, App.js, SocketModeReceiver.js).
 */
export function onEveryPayload(app: App, work: (payload: AnyPayload) => Promise<void>): void {
  app.use(({ body, context, ...args }) =>
    work({
      kind: kindOf(args, body),
      body,
      retries: context.retryNum ?? 0,
      acknowledge: acknowledgementOf(args, context),
    }),
  );
}

function kindOf(args: object, body: object): PayloadKind | undefined {
  if ('view' in args) {
    const type = 'type' in body ? body.type : undefined;
    return type === 'view_submission' || type === 'view_closed' ? type : undefined;
  }
  return (['event', 'command', 'action', 'shortcut', 'options'] as const).find((name) => name in args);
}

function acknowledgementOf(args: object, context: AllMiddlewareArgs['context']): AnyPayload['acknowledge'] {
  const acknowledge: unknown = 'ack' in args ? args.ack : context[acknowledgeKey];
  return async (answer) => (typeof acknowledge === 'function' ? acknowledge(answer) : undefined);
}
