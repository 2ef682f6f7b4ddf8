import { within } from '../../core/async/within.ts';
import type { Accepted } from '../../engine/context/ports.ts';
import type { Request } from '../../engine/context/request.ts';
import { type FlowContext, storeWithinMs } from './context.ts';

/** Said and done to whoever asked, as soon as it is known whether the request is stored. */
interface Steps {
  /** Stored: acknowledge it and run it. */
  readonly isNew: () => Promise<void>;
  /** This payload was here before: acknowledge it and do nothing. */
  readonly isAgain: () => Promise<void>;
  /** Not stored in time: `late` may still be, `failed` will not. Answers whether the person was told. */
  readonly notStored: (how: 'late' | 'failed') => Promise<boolean>;
  /** Stored after all: correct what was said and run it. */
  readonly isLate: (isNotified: boolean) => Promise<void>;
}

/**
 * The one way from a payload that changes something to its work: a command, a click, a mention, a submitted form. It is
 * acknowledged when it is stored. When the store is slow the person is told that nothing was started, and the request may
 * still be stored a moment later. Then it stands in the store like any other and would run after the next start, so it
 * runs now, and the person is told. A request that is stored runs; one that is not does not; and what was said about it
 * is corrected.
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
    'a request could not be stored in time',
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
