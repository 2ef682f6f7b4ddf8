import type { App } from '@slack/bolt';
import { within } from '../core/async/within.ts';
import type { FormOption } from '../core/view/form.ts';
import { type AnyPayload, onEveryPayload, type PayloadKind } from './bolt/every-payload.ts';
import { SlackError } from './faults.ts';
import { acceptRequest } from './flow/accept-request.ts';
import { type Ack, answerWithinMs, type FlowContext } from './flow/context.ts';
import { happen } from './flow/happen.ts';
import { createSubmit } from './flow/submit.ts';
import { readEvent } from './inbound/event.ts';
import { readClick, readShortcut, readSlash, readSuggestion, type SuggestionQuery } from './inbound/interaction.ts';
import { UnreadablePayload } from './inbound/read-payload.ts';
import { readClosed, readSubmission } from './inbound/submission.ts';
import { groupSource, optionsWithin } from './outbound/field.ts';

type Running = ReturnType<typeof createRunning>;

/** Running work, for which a stop waits. */
export function createRunning() {
  const running = new Set<Promise<void>>();
  return {
    track: (work: Promise<void>): Promise<void> => {
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
    count: () => running.size,
  };
}

type Incoming = Pick<AnyPayload, 'body' | 'retries'> & { readonly answer: Ack };

/** The answers to unreadable payloads; to the others, only the acknowledgement. */
const unread: Readonly<Partial<Record<PayloadKind, unknown>>> = {
  command: "Slack's message could not be read, so nothing was started. Try again.",
  options: { options: [] },
  view_submission: { response_action: 'clear' },
};

export function listen(
  app: App,
  flowContext: FlowContext,
  running: Running,
  now: () => number,
  onAcknowledged: (ms: number) => void = () => {},
): void {
  const { log } = flowContext;
  const submit = createSubmit(flowContext);
  const clocks = () => ({ now: now(), slackAheadMs: flowContext.web.aheadMs() });

  const flows: Readonly<Record<PayloadKind, (incoming: Incoming) => Promise<unknown>>> = {
    command: ({ body, answer }) => acceptRequest(flowContext, readSlash(body, now()), answer),
    action: ({ body, answer }) => {
      const incoming = readClick(body, clocks());
      return incoming === undefined ? answer() : acceptRequest(flowContext, incoming, answer);
    },
    shortcut: ({ body, answer }) => acceptRequest(flowContext, readShortcut(body, now()), answer),
    options: ({ body, answer }) => suggest(flowContext, readSuggestion(body), answer),
    view_submission: ({ body, answer }) => submit(readSubmission(body, now()), answer),
    view_closed: async ({ body, answer }) => {
      await answer();
      const closed = readClosed(body);
      if (closed !== undefined) await flowContext.engine.dropForm(closed.form, closed.user);
    },
    event: async ({ body, retries, answer }) => {
      const happening = readEvent(body, flowContext.self, clocks());
      if (happening === undefined) await answer();
      else await happen(flowContext, happening, answer, retries === 0);
    },
  };

  onEveryPayload(app, ({ kind, body, retries, acknowledge }) => {
    const answer = answering(acknowledge, flowContext, onAcknowledged);
    const flow = async () => {
      // An unknown kind of payload is acknowledged, so that the person sees no error.
      if (kind === undefined) return void (await answer());
      try {
        await flows[kind]({ body, retries, answer });
      } catch (error) {
        // An error in a flow must not end the process, and must be logged.
        if (error instanceof SlackError)
          return log.error({ kind, why: error.message }, 'Slack refused the response to a payload');
        if (!(error instanceof UnreadablePayload))
          return log.error({ err: error, kind }, 'could not answer Slack: bug in the bot');
        log.error({ kind, where: error.message }, 'Slack sent something that could not be read');
        await answer(unread[kind]);
      }
    };
    return running.track(flow());
  });
}

function answering(ack: AnyPayload['acknowledge'], { log }: FlowContext, onAcknowledged: (ms: number) => void): Ack {
  const arrivedAt = performance.now();
  return async (answer) => {
    try {
      await ack(answer);
      onAcknowledged(performance.now() - arrivedAt);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the connection was gone before a payload was acknowledged; Slack delivers it again');
      return false;
    }
  };
}

/** Search as you type. Slack shows nothing after three seconds, so what is late is an empty list. */
async function suggest(context: FlowContext, query: SuggestionQuery, ack: Ack): Promise<void> {
  const { source } = query;
  const search = await within(
    source === groupSource ? groups(context, query.text) : context.engine.suggest(query),
    answerWithinMs,
  );
  if (search.kind === 'failed') context.log.warn({ err: search.error, source }, 'a search failed');
  if (search.kind === 'late') context.log.warn({ source }, 'a search took too long');
  await ack({ options: search.kind === 'done' ? optionsWithin(search.value, 100).options : [] });
}

async function groups(context: FlowContext, text: string): Promise<readonly FormOption[]> {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return (await context.directory.groups()).filter(({ label, description }) =>
    `${label} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
}
