import type { App } from '@slack/bolt';
import { ask } from './flow/ask.ts';
import { happen } from './flow/happen.ts';
import type { Ack, Kit } from './flow/kit.ts';
import { createSubmissions } from './flow/submit.ts';
import { suggest } from './flow/suggest.ts';
import { readClick } from './inbound/click.ts';
import { events, readEvent } from './inbound/event.ts';
import { UnreadablePayload } from './inbound/incoming.ts';
import { readShortcut } from './inbound/shortcut.ts';
import { readSlash } from './inbound/slash.ts';
import { readClosed, readSubmission } from './inbound/submission.ts';
import { readSuggestion } from './inbound/suggestion.ts';

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

/** Events carry this instead of Bolt's acknowledgement, which Bolt sends before anybody has looked at the event. */
export const acknowledgeKey = 'acknowledgeEvent';

/** One listener for each kind of payload, each reading, acknowledging and handing over. */
export function listen(
  app: App,
  kit: Kit,
  running: Running,
  now: () => number,
  onAcknowledged: (ms: number) => void = () => {},
): void {
  const submissions = createSubmissions(kit);

  const ackWith = (ack: (answer?: never) => Promise<void>): Ack => {
    const arrivedAt = performance.now();
    return async (answer) => {
      try {
        // The flows answer what Slack documents for each payload; Bolt's types differ per listener.
        await ack(answer as never);
        onAcknowledged(performance.now() - arrivedAt);
        return true;
      } catch (error) {
        kit.log.warn(
          { err: error },
          'the connection was gone before a payload was acknowledged; Slack delivers it again',
        );
        return false;
      }
    };
  };

  /** Nothing that happens in a flow may end the process or stay silent. */
  const run = (what: string, flow: () => Promise<void>, onUnreadable: () => Promise<unknown>): Promise<void> =>
    running.track(
      (async () => {
        try {
          await flow();
        } catch (error) {
          if (!(error instanceof UnreadablePayload))
            return kit.log.error({ err: error, what }, 'answering Slack: a bug of ours');
          kit.log.error({ what, where: error.message }, 'Slack sent something that could not be read');
          await onUnreadable();
        }
      })(),
    );

  app.command(/.*/, ({ body, ack }) => {
    const answer = ackWith(ack);
    return run(
      'command',
      () => ask(kit, readSlash(body, now()), answer),
      () => answer('I could not read what Slack sent me, so nothing was started. Please try again.'),
    );
  });

  app.action(/.*/, ({ body, ack }) => {
    const answer = ackWith(ack);
    const flow = async () => {
      const incoming = readClick(body, now());
      if (incoming === undefined) await answer();
      else await ask(kit, incoming, answer);
    };
    return run('click', flow, answer);
  });

  app.shortcut(/.*/, ({ body, ack }) => {
    const answer = ackWith(ack);
    return run('shortcut', () => ask(kit, readShortcut(body, now()), answer), answer);
  });

  app.options(/.*/, ({ body, ack }) => {
    const answer = ackWith(ack);
    return run(
      'search',
      () => suggest(kit, readSuggestion(body), answer),
      () => answer({ options: [] }),
    );
  });

  app.view({ type: 'view_submission', callback_id: /.*/ }, ({ body, ack }) => {
    const answer = ackWith(ack);
    return run(
      'submission',
      () => submissions.submit(readSubmission(body, now()), answer),
      () => answer({ response_action: 'clear' }),
    );
  });

  app.view({ type: 'view_closed', callback_id: /.*/ }, ({ body, ack }) => {
    const answer = ackWith(ack);
    const flow = async () => {
      await answer();
      const closed = readClosed(body);
      if (closed !== undefined) await kit.engine.dropForm(closed.form, closed.user);
    };
    return run('closed modal', flow, answer);
  });

  for (const name of Object.keys(events)) {
    app.event(name, ({ body, context }) => {
      const acknowledge: unknown = context[acknowledgeKey];
      const answer = ackWith(async () => {
        if (typeof acknowledge === 'function') await acknowledge();
      });
      const flow = async () => {
        const happening = readEvent(body, kit.self, now());
        if (happening === undefined) await answer();
        else await happen(kit, happening, answer, (context.retryNum ?? 0) === 0);
      };
      return run(`event ${name}`, flow, answer);
    });
  }
}
