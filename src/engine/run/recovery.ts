import { orLate } from '../../core/async/within.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import { tidyAccessRequests } from '../access/access-requests.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { expireSecrets } from '../context/secrets.ts';
import { beginWithinMs } from '../context/time-limits.ts';
import { sayAway } from './may-begin.ts';

const everyMs = 5_000;
const tidyEveryMs = 10 * 60_000;
const longestMs = 60_000;
/**
 * A round stores every few seconds that a process is running. A decision this long after the last note was made while
 * the bot runs.
 */
const noticedWithinMs = 10_000;
const day = 86_400_000;

/** Cleans up on a timer where no event does: leftovers of a crash, and rows whose time is over. */
export function createRecovery(
  context: EngineContext,
  { resume, onOutdated }: { resume: () => Promise<void>; onOutdated: () => void },
) {
  const { store, now, elapsed, log } = context;
  let timer: NodeJS.Timeout | undefined;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let succeededAt = performance.now();
  let endedAt = succeededAt;

  async function once(): Promise<void> {
    if (await store.isOutdated()) return onOutdated();
    await noteAbsence(context);
    await resume();
    await expireSecrets(context);
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

/**
 * After a long absence of all processes, or with the database of an older day, nothing begins by itself: everything that
 * was decided before waits for a person to confirm it.
 */
export async function noteAbsence(context: EngineContext): Promise<void> {
  const { store, log } = context;
  const lastAt = await store.presence.lastAt();
  const awayMs = (await store.presence.absentMs()) ?? 0;
  if (lastAt !== undefined && awayMs > beginWithinMs) {
    // The holds come before the note that a process is running again: after a crash in between the absence is found
    // again.
    const held = await store.operations.holdAll(sayAway(awayMs), lastAt + noticedWithinMs);
    if (held.length > 0)
      log.warn({ awayMs, held: held.length }, 'the bot was offline: earlier decisions wait for a person');
    for (const id of held) context.wake(id);
  }
  await store.presence.note();
}
