import type { AllMiddlewareArgs, App } from '@slack/bolt';
import { lateAcknowledgement } from './late-acknowledgement.ts';

/** Bolt's name for a payload among a middleware's arguments, and for modals what was done there. */
export type PayloadKind = 'command' | 'action' | 'shortcut' | 'options' | 'view_submission' | 'view_closed' | 'event';

export interface AnyPayload {
  /** Undefined when Bolt has no name for it. */
  readonly kind: PayloadKind | undefined;
  readonly body: unknown;
  /** How often Slack delivered it before, as far as it says. */
  readonly retries: number;
  readonly acknowledge: (answer?: unknown) => Promise<unknown>;
}

/**
 * One middleware for all payloads instead of Bolt's listeners: over a socket Bolt acknowledges nothing that no listener
 * matches, and the person sees an error (bolt 5.1.0, App.js, SocketModeReceiver.js).
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
