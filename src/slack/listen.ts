import type { AllMiddlewareArgs, App } from '@slack/bolt';
import { SlackError } from './faults.ts';
import { ask } from './flow/ask.ts';
import type { Ack, FlowContext } from './flow/context.ts';
import { happen } from './flow/happen.ts';
import { createSubmissions } from './flow/submit.ts';
import { suggest } from './flow/suggest.ts';
import { readClick } from './inbound/click.ts';
import { events, readEvent } from './inbound/event.ts';
import { UnreadablePayload } from './inbound/incoming.ts';
import { readShortcut } from './inbound/shortcut.ts';
import { readSlash } from './inbound/slash.ts';
import { readClosed, readSubmission } from './inbound/submission.ts';
import { readSuggestion } from './inbound/suggestion.ts';
import { acknowledgeKey } from './later.ts';

/** Work under way, so that stopping can wait for it. */
export interface Running {
  readonly track: (work: Promise<void>) => Promise<void>;
  readonly settled: () => Promise<unknown>;
  readonly count: () => number;
}

export function createRunning(): Running {
  const running = new Set<Promise<void>>();
  return {
    track: (work) => {
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
    count: () => running.size,
  };
}

/** What a payload is to Bolt: the name it gives it among a middleware's arguments, and for modals what was done there. */
type Kind = 'command' | 'action' | 'shortcut' | 'options' | 'view_submission' | 'view_closed' | 'event';

interface Payload {
  readonly body: unknown;
  readonly context: AllMiddlewareArgs['context'];
  readonly answer: Ack;
}

interface Listener {
  readonly what: string;
  readonly flow: (payload: Payload) => Promise<unknown>;
  /** What is answered when it is not as Slack documents it; nothing but the acknowledgement unless said. */
  readonly unread?: unknown;
}

/**
 * Reads, acknowledges and hands over each kind of payload. One middleware and a table instead of Bolt's listeners, each of
 * which Bolt would ask of each payload, before its acknowledgement, whether it wants it (bolt 5.1, App.js).
 */
export function listen(
  app: App,
  flowContext: FlowContext,
  running: Running,
  now: () => number,
  onAcknowledged: (ms: number) => void = () => {},
): void {
  const submissions = createSubmissions(flowContext);

  const listeners: Readonly<Record<Kind, Listener>> = {
    command: {
      what: 'command',
      flow: ({ body, answer }) => ask(flowContext, readSlash(body, now()), answer),
      unread: 'I could not read what Slack sent me, so nothing was started. Please try again.',
    },
    action: {
      what: 'click',
      flow: ({ body, answer }) => {
        const incoming = readClick(body, now());
        return incoming === undefined ? answer() : ask(flowContext, incoming, answer);
      },
    },
    shortcut: { what: 'shortcut', flow: ({ body, answer }) => ask(flowContext, readShortcut(body, now()), answer) },
    options: {
      what: 'search',
      flow: ({ body, answer }) => suggest(flowContext, readSuggestion(body), answer),
      unread: { options: [] },
    },
    view_submission: {
      what: 'submission',
      flow: ({ body, answer }) => submissions.submit(readSubmission(body, now()), answer),
      unread: { response_action: 'clear' },
    },
    view_closed: {
      what: 'closed modal',
      flow: async ({ body, answer }) => {
        await answer();
        const closed = readClosed(body);
        if (closed !== undefined) await flowContext.engine.dropForm(closed.form, closed.user);
      },
    },
    event: {
      what: 'event',
      flow: async ({ body, context, answer }) => {
        const happening = readEvent(body, flowContext.self, now());
        if (happening === undefined) await answer();
        else await happen(flowContext, happening, answer, (context.retryNum ?? 0) === 0);
      },
    },
  };

  app.use(({ body, context, ...args }) => {
    const kind = kindOf(args, body);
    const answer = answering(ackOf(args, context), flowContext, onAcknowledged);
    // Not for us: acknowledged, so that nobody sees an error.
    if (kind === undefined) return running.track(answer().then(() => {}));
    const { what, flow, unread } = listeners[kind];
    // Nothing that happens in a flow may end the process or stay silent.
    return running.track(
      (async () => {
        try {
          await flow({ body, context, answer });
        } catch (error) {
          if (error instanceof SlackError)
            return flowContext.log.error(
              { what, why: error.message },
              'answering Slack: it did not take what was said',
            );
          if (!(error instanceof UnreadablePayload))
            return flowContext.log.error({ err: error, what }, 'answering Slack: a bug of ours');
          flowContext.log.error({ what, where: error.message }, 'Slack sent something that could not be read');
          await answer(unread);
        }
      })(),
    );
  });
}

function kindOf(args: object, body: object): Kind | undefined {
  if ('view' in args) {
    const type = 'type' in body ? body.type : undefined;
    return type === 'view_submission' || type === 'view_closed' ? type : undefined;
  }
  if ('event' in args) return isHeard(args.event) ? 'event' : undefined;
  return (['command', 'action', 'shortcut', 'options'] as const).find((name) => name in args);
}

function isHeard(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && Object.hasOwn(events, String(event.type));
}

function ackOf(args: object, context: AllMiddlewareArgs['context']): (answer?: unknown) => Promise<unknown> {
  const ack: unknown = 'ack' in args ? args.ack : context[acknowledgeKey];
  return async (answer) => (typeof ack === 'function' ? ack(answer) : undefined);
}

function answering(
  ack: (answer?: unknown) => Promise<unknown>,
  flowContext: FlowContext,
  onAcknowledged: (ms: number) => void,
): Ack {
  const arrivedAt = performance.now();
  return async (answer) => {
    try {
      await ack(answer);
      onAcknowledged(performance.now() - arrivedAt);
      return true;
    } catch (error) {
      flowContext.log.warn(
        { err: error },
        'the connection was gone before a payload was acknowledged; Slack delivers it again',
      );
      return false;
    }
  };
}
