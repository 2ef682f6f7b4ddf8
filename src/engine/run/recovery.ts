import { StoreUnavailable } from '../../core/errors.ts';
import { orLate } from '../../core/within.ts';
import { tidyAccessRequests } from '../access/access-requests.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { noteAbsence } from './absence.ts';

const everyMs = 5_000;
/** Needed only when a process ended before it woke an operation. */
const stalledAfterMs = 5_000;
const tidyEveryMs = 10 * 60_000;
const longestMs = 60_000;
/** The most watches that one round takes over; the rest follows five seconds later. */
const takenOverAtOnce = 500;
const day = 86_400_000;

/** Cleans up on a timer where no event does: leftovers of a crash, and rows whose time is over. */
export function createRecovery(
  context: EngineContext,
  {
    resume,
    watch,
  }: {
    resume: () => Promise<void>;
    watch: (operation: string, n: number) => void;
  },
) {
  const { store, now, elapsed, log } = context;
  let timer: NodeJS.Timeout | undefined;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let succeededAt = performance.now();
  let endedAt = succeededAt;

  async function once(): Promise<void> {
    await noteAbsence(context);
    await resume();
    for (const id of await store.turns.stalled(now() - stalledAfterMs, takenOverAtOnce)) await store.turns.ask(id);
    // Steps that a process which ended was watching; the first replica to look takes them over.
    for (const step of await store.steps.unwatched(takenOverAtOnce)) watch(step.operationId, step.n);
    await store.secrets.purge(now());
    if (elapsed() - tidiedAt > tidyEveryMs) await tidy();
  }

  async function tidy(): Promise<void> {
    tidiedAt = elapsed();
    await store.locks.releaseLeft();
    await store.forms.purge(now());
    await store.inbox.prune(now() - 3 * day);
    await store.messages.prune(now() - 30 * day);
    await store.alerts.prune(now() - 30 * day);
    await store.notes.prune(now() - 30 * day);
    await store.freezes.prune(now() - 90 * day);
    await store.entries.prune(now());
    await store.leases.prune();
    await tidyAccessRequests(context);
  }

  /** Stops waiting for a round that hangs, so that the next one begins: everything in it may be done twice. */
  async function onceInTime(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await orLate(once(), longestMs, () => new Error('it has not ended in time'));
      succeededAt = performance.now();
    } catch (error) {
      log.warn({ err: error }, 'sweeping');
      // An unavailable database answers with an error; only a call without any answer counts as a hang.
      if (error instanceof StoreUnavailable) endedAt = performance.now();
    } finally {
      isRunning = false;
    }
  }
  const onceOrWarn = () => void onceInTime();

  return {
    once,
    start: () => {
      timer = setInterval(onceOrWarn, everyMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
    /** Ages of the last round that succeeded, and of the last that ended at all. */
    succeededAgoMs: () => performance.now() - succeededAt,
    endedAgoMs: () => performance.now() - Math.max(succeededAt, endedAt),
  };
}
