import type { ReadContext, Step, WriteContext } from '../../core/command/command.ts';
import type { Evidence, Follow, Receipt, Secret, Verdict } from '../../core/plan/plan.ts';
import { nextPoll, nextProbe, nextRead, nextVerify } from '../../core/plan/polling-schedule.ts';
import { afterProbe, type Comeback, isBack, sayAnswers } from '../../core/probe/comeback.ts';
import type { Probed } from '../../core/probe/services.ts';
import { defined } from '../../core/text/defined.ts';
import { hadNoEffect, ProviderError, Refusal } from '../../core/view/errors.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { sayProviderError } from '../context/error-view.ts';
import { notes } from '../operation/ends.ts';

/**
 * Follows one step from its write to its end without touching a row: send-step.ts and poll-step.ts store the
 * results, and command tests run the same code in memory.
 */

type AnyStep = Step<Reader, Provider>;

export type Sent =
  | { readonly kind: 'accepted'; readonly receipt: Receipt; readonly secret: Secret | undefined }
  /** The write was certainly not applied. */
  | { readonly kind: 'failed'; readonly note: string; readonly error: unknown }
  | { readonly kind: 'lost'; readonly why: string; readonly error: unknown };

/** Sends the write once. `wasSent`: something may have been sent. `incident` logs an error of the bot under the id. */
export async function send(
  step: AnyStep,
  context: WriteContext<Provider>,
  {
    doing,
    wasSent,
    incident,
  }: { doing: string; wasSent: () => boolean; incident: (error: unknown, doing: string) => string },
): Promise<Sent> {
  try {
    const { secret, ...receipt } = await step.execute(context);
    return { kind: 'accepted', receipt, secret };
  } catch (error) {
    if (error instanceof ProviderError) {
      if (!hadNoEffect(error)) return { kind: 'lost', why: error.words, error };
      return { kind: 'failed', note: sayProviderError(doing, error), error };
    }
    if (error instanceof Refusal) {
      return { kind: 'failed', note: [error.message, error.hint].filter(Boolean).join(' '), error };
    }
    const id = incident(error, doing);
    if (wasSent()) return { kind: 'lost', why: `an error of the bot, in the log under incident ${id}`, error };
    return { kind: 'failed', note: notes.notSent(doing, id), error };
  }
}

/** A step that the provider has received, with its evidence. */
export interface PolledStep {
  readonly step: AnyStep;
  readonly doing: string;
  readonly receipt: Receipt | undefined;
  readonly seen: Evidence;
  readonly read: () => Promise<ReadContext<Reader>>;
  readonly looks: number;
  readonly elapsedMs: number;
  readonly random: number;
  /** The durations of the last jobs of this kind. */
  readonly usualMs: (action: string) => Promise<readonly number[]>;
  /** Other steps may follow: a failed read is retried for longer, because an unverified step skips them. */
  readonly isSeveral: boolean;
  /** Absent if nothing answered before the write, or it need not answer again. */
  readonly answering?: Answering | undefined;
}

/** A step after which the server has to answer from outside again. */
interface Answering {
  readonly comeback: Comeback;
  readonly probe: () => Promise<readonly Probed[]>;
  readonly now: number;
  /** From the write on. */
  readonly sinceWriteMs: number;
  /** How far the change itself is verified. */
  readonly note: string;
  /** A person stopped the request, so it no longer waits. */
  readonly isStopped: boolean;
}

export type PollResult = {
  /** The server was seen offline in this poll; the row stores it. */
  readonly isOffline?: boolean;
  /** The job's kind, if this poll saw the job end. */
  readonly jobEnded?: string;
} & (
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'verifying' }
  | { readonly kind: 'answering'; readonly note: string; readonly comeback: Comeback }
  | {
      readonly kind: 'end';
      readonly state: 'done' | 'unverified' | 'failed' | 'unknown';
      readonly note: string;
      readonly comeback?: Comeback;
    }
);

export const phases: Readonly<
  Record<'accepted' | 'verifying' | 'answering' | 'reading', (polled: PolledStep) => Promise<PollResult>>
> = {
  accepted: async (polled) => {
    const follow = polled.step.follow(polled.receipt ?? { text: '', data: null });
    if (follow?.kind === 'job') return pollJob(polled, follow);
    if (follow === undefined) return { kind: 'verifying' };
    const verdict = await verify(polled);
    if (verdict.is === 'not' && verdict.isFinal) {
      return { kind: 'end', state: 'failed', note: notes.refused(polled.doing, verdict.text) };
    }
    const isOffline = verdict.isOffline === true;
    const ms = nextPoll(polled.elapsedMs, polled.looks - 1, [], polled.random);
    const isOver = ms === undefined || polled.elapsedMs > follow.timeoutMs;
    return verdict.is === 'so' || verdict.isFinal || isOver
      ? { kind: 'verifying', isOffline }
      : { kind: 'wait', ms, isOffline };
  },
  verifying: async (polled) => {
    const verdict = await verify(polled);
    const ms = nextVerify(polled.looks, verdict.is === 'unsure' && polled.isSeveral);
    if (verdict.is !== 'so' && !verdict.isFinal && ms !== undefined) return { kind: 'wait', ms };
    const isVerified = verdict.is === 'so';
    const { answering } = polled;
    if (answering !== undefined && (isVerified || (answering.comeback.needs === 'any' && verdict.isFinal))) {
      const comeback = { ...answering.comeback, since: answering.now, isVerified };
      return { kind: 'answering', note: verdict.text, comeback };
    }
    return { kind: 'end', state: isVerified ? 'done' : 'unverified', note: verdict.text };
  },
  answering: async (polled) => {
    const { answering, looks } = polled;
    if (answering === undefined) throw new Error(`${polled.doing}: it waits for no answer`);
    const { comeback, isStopped, probe, note, now, sinceWriteMs } = answering;
    const { since = now, withinMs, isVerified } = comeback;
    const isOver = isStopped || now - since >= withinMs;
    // The provider may report the end of a job before the server goes down.
    if (looks === 1 && !isOver) return { kind: 'wait', ms: nextProbe(looks) };
    const seen = afterProbe(comeback, await probe(), sinceWriteMs);
    if (isBack(seen)) {
      const end = isVerified ? 'done' : 'unverified';
      const words = isVerified ? sayAnswers(seen) : `${note}; ${sayAnswers(seen)}`;
      return { kind: 'end', state: end, note: words, comeback: seen };
    }
    if (!isOver) return { kind: 'wait', ms: nextProbe(looks) };
    const power = isVerified ? (await verify(polled)).text.replace(/^the power is /, 'power ') : undefined;
    const silent = { ...seen, ...defined({ power }) };
    const words = notes.noAnswer(isVerified ? '' : note, silent, isStopped);
    return { kind: 'end', state: 'unverified', note: words, comeback: silent };
  },
  reading: async (polled) => {
    const verdict = await reading(polled, (context) => polled.step.reconcile(context));
    const ms = nextRead(polled.looks);
    if (verdict.is !== 'so' && !verdict.isFinal && ms !== undefined) return { kind: 'wait', ms };
    const state = ({ so: 'done', not: 'failed', unsure: 'unknown' } as const)[verdict.is];
    const note = verdict.is === 'not' ? notes.notApplied(polled.doing, verdict.text) : verdict.text;
    return { kind: 'end', state, note };
  },
};

async function pollJob(polled: PolledStep, follow: Extract<Follow, { kind: 'job' }>): Promise<PollResult> {
  const { doing, elapsedMs, looks, random } = polled;
  let wasRead = false;
  try {
    const { reader } = await polled.read();
    const job = await reader.vps.logDetails({ order_id: follow.orderId, log_id: follow.jobId });
    wasRead = true;
    // Announced by the provider, not yet observed: `done` may set `completed` late, and `error` may never set it.
    if (job.job_state === 'error') {
      return { kind: 'end', state: 'failed', note: notes.jobFailed(doing, job.note) };
    }
    if (job.job_state === 'done' || job.completed) return { kind: 'verifying', jobEnded: follow.action };
  } catch (error) {
    // Keep polling if the provider is unavailable: the job continues.
    if (!(error instanceof ProviderError)) throw error;
  }
  const ms = nextPoll(elapsedMs, looks - 1, await polled.usualMs(follow.action), random);
  if (ms !== undefined) return { kind: 'wait', ms };
  // The state may be the same as before the write: it proves nothing and is only shown.
  const { text } = await verify(polled);
  return { kind: 'end', state: 'unverified', note: notes.jobUnfinished(wasRead, elapsedMs, text) };
}

function verify(polled: PolledStep): Promise<Verdict> {
  return reading(polled, (context) => polled.step.verify(context, polled.receipt, polled.seen));
}

async function reading(
  polled: Pick<PolledStep, 'read'>,
  read: (context: ReadContext<Reader>) => Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await read(await polled.read());
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { is: 'unsure', text: notes.unread(error.words) };
  }
}
