import { orLate } from '../../core/async/within.ts';
import { count } from '../../core/text/words.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import { tidyAccessRequests } from '../access/access-requests.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { expireSecrets } from '../context/seal-secrets.ts';
import { beginWithinMs } from '../context/time-limits.ts';
import { heldBecause } from '../operation/ends.ts';

const everyMs = 5_000;
/** People wait for the requests of a killed process. */
const resumeEveryMs = 1_000;
const tidyEveryMs = 10 * 60_000;
const longestMs = 60_000;
/** Each round stores its time. Decisions up to this long after the last one count as made before the absence. */
const noticedWithinMs = 10_000;

/** Cleans up on a timer where no event does: leftovers of a crash and expired rows. */
export function createRecovery(
  context: EngineContext,
  { resume, onOutdated }: { resume: () => Promise<void>; onOutdated: () => void },
) {
  const { store, elapsed, log } = context;
  const timers: NodeJS.Timeout[] = [];
  let tidiedAt = Number.NEGATIVE_INFINITY;
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
    await store.retention.pruneAll();
    await tidyAccessRequests(context);
    await postAuditEnd(context);
  }

  /** Stops waiting for a round that hangs, so that the next can begin. A round is idempotent: two may overlap. */
  function repeat(everyMs: number, round: () => Promise<unknown>, onError: (error: unknown) => void): void {
    let isRunning = false;
    const inTime = async () => {
      if (isRunning) return;
      isRunning = true;
      await orLate(round(), longestMs, () => new Error('the round did not end in time')).catch(onError);
      isRunning = false;
    };
    timers.push(setInterval(() => void inTime(), everyMs).unref());
  }

  return {
    once,
    start: () => {
      const onceNoted = async () => {
        await once();
        succeededAt = performance.now();
      };
      repeat(everyMs, onceNoted, (error) => {
        log.warn({ err: error }, 'recovery round failed');
        // An unavailable database returns an error; only a call that never returns counts as a hang.
        if (error instanceof StoreUnavailable) endedAt = performance.now();
      });
      repeat(resumeEveryMs, resume, (error) => {
        // The other round logs that the database is unavailable.
        if (!(error instanceof StoreUnavailable))
          log.warn({ err: error }, 'could not resume the requests of ended processes');
      });
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
    /** Time since the last round that succeeded, and since the last that did or found the database unavailable. */
    succeededAgoMs: () => performance.now() - succeededAt,
    endedAgoMs: () => performance.now() - Math.max(succeededAt, endedAt),
  };
}

/** Holds earlier decisions after a long absence or a restored database: a person confirms each by "Continue". */
export async function noteAbsence(context: EngineContext): Promise<void> {
  const { store, log } = context;
  const lastAt = await store.presence.lastAt();
  const offlineMs = (await store.presence.absentMs()) ?? 0;
  if (lastAt !== undefined && offlineMs > beginWithinMs) {
    // The holds come before the note that a process is running: after a crash in between, the absence is found again.
    const held = await store.operations.holdAll(heldBecause.offline(offlineMs), lastAt + noticedWithinMs);
    if (held.length > 0)
      log.warn({ offlineMs, held: held.length }, 'the bot was offline: earlier decisions wait for a person');
    for (const id of held) context.wake(id);
  }
  await store.presence.note();
}

/**
 * Posts the head of the audit to the audit channel once a day. A person with write access to the database can cut or
 * replace the audit; Slack keeps the proof.
 */
async function postAuditEnd({ settings, store, outbox, now }: EngineContext): Promise<void> {
  const channel = settings.auditChannel;
  if (channel === undefined) return;
  const key = `audit-end:${new Date(now()).toISOString().slice(0, 10)}`;
  if ((await store.messages.find(key)) !== undefined) return;
  const { seq, hash } = await store.audit.head();
  const installation = await store.audit.installation();
  if (installation === undefined) return;
  const view = says([
    `The audit of installation ${installation.id} has ${count(seq, 'row')} on `,
    { date: now(), style: 'day' },
    '. To check later that none of them was changed: ',
    { code: `hostler audit verify --since ${seq}:${hash}` },
  ]);
  await outbox.put({ key, channel, view });
}
