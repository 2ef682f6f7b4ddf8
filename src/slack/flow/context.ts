import { within } from '../../core/async/within.ts';
import { notice } from '../../core/view/view.ts';
import type { Log } from '../../engine/context/dependencies.ts';
import type { Accepted, Engine, Messenger } from '../../engine/context/ports.ts';
import type { Place, Request } from '../../engine/context/request.ts';
import type { SlackDirectory } from '../directory.ts';
import type { Self } from '../inbound/event.ts';
import type { Modals } from '../outbound/modals.ts';
import type { ResponseUrls } from '../response-urls.ts';
import type { Web } from '../web.ts';

export interface FlowContext {
  readonly engine: Engine;
  readonly messenger: Messenger;
  readonly directory: SlackDirectory;
  readonly modals: Modals;
  readonly urls: ResponseUrls;
  readonly web: Web;
  readonly outage: ReturnType<typeof createOutage>;
  readonly log: Log;
  readonly self: Self;
}

/** Measures how long the database has failed to store requests. */
export function createOutage(now: () => number) {
  let since: number | undefined;
  return {
    note: (isStored: boolean) => {
      since = isStored ? undefined : (since ?? now());
    },
    ms: () => (since === undefined ? 0 : now() - since),
  };
}

/** Acknowledges a payload; false if the connection was lost, in which case Slack delivers the payload again. */
export type Ack = (answer?: unknown) => Promise<boolean>;

/** Slack waits three seconds for an acknowledgement. */
export const storeWithinMs = 2_000;
export const answerWithinMs = 2_500;

/** Posts a private note. A failure is only logged. */
export async function postEphemeral(context: FlowContext, place: Place, user: string, text: string): Promise<void> {
  try {
    await context.messenger.postEphemeral(place, user, notice('warning', text));
  } catch (error) {
    context.log.warn({ err: error }, 'could not send a private message');
  }
}

interface Steps {
  /** Stored: acknowledge it and run it. */
  readonly isNew: () => Promise<void>;
  /** A repeated payload: acknowledge it and do nothing. */
  readonly isAgain: () => Promise<void>;
  /** Not stored in time: `late` may still be stored, `failed` will not. Returns whether the person was notified. */
  readonly notStored: (how: 'late' | 'failed') => Promise<boolean>;
  /** Stored late: correct the notification and run the request. */
  readonly isLate: (isNotified: boolean) => Promise<void>;
}

/**
 * Stores and then runs a payload that may change something: a command, a click, a mention or a submitted form. The
 * payload is acknowledged when it is stored. If the store is slow, the person reads that nothing was started. A request
 * that is stored after that would run at the next start anyway, so it runs now, and the person is notified. Thus a
 * request runs if and only if it is stored, and people always read the truth about it in the end.
 */
export async function whenStored(
  { log, outage }: Pick<FlowContext, 'log' | 'outage'>,
  { id }: Request,
  { stored }: Pick<Accepted, 'stored'>,
  steps: Steps,
): Promise<void> {
  const inTime = await within(stored, storeWithinMs);
  outage.note(inTime.kind === 'done');
  if (inTime.kind === 'done') return inTime.value ? steps.isNew() : steps.isAgain();
  log.error(
    { request: id, ...(inTime.kind === 'failed' ? { err: inTime.error } : {}) },
    'could not store a request in time',
  );
  const isNotified = await steps.notStored(inTime.kind);
  if (inTime.kind === 'failed') return;
  const isNew = await stored.catch((error: unknown) => {
    log.error({ request: id, err: error }, 'a request was not stored');
    return false;
  });
  if (isNew) await steps.isLate(isNotified);
}

export const notStored =
  'Nothing was started: the database did not store the request within two seconds. If it is stored late, that is said here; otherwise ask again.';
