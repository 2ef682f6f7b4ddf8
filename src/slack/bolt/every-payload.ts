import type { AllMiddlewareArgs, App } from '@slack/bolt';
import { lateAcknowledgement } from './late-acknowledgement.ts';

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
  const acknowledge: unknown = 'ack' in args ? args.ack : lateAcknowledgement(context);
  return async (answer) => (typeof acknowledge === 'function' ? acknowledge(answer) : undefined);
}
