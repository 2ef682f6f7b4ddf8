import { isEnd, type OperationState } from '../../core/plan/operation.ts';
import type { StandingApproval, Timing } from '../../core/plan/timing.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import { nextOf } from '../../core/time/weekly.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import { notice } from '../../core/view/view.ts';
import type { AuditEntry, AuditedChange } from '../../store/audit/audit-lines.ts';
import { countingVotes } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { laterMs, mostFailedRuns } from '../context/time-limits.ts';
import { sayRan } from '../operation/card-hour.ts';
import { redrawIfNew, show } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { ends, whyNotRun } from '../operation/ends.ts';
import { entryOf } from '../operation/entry-of.ts';
import { type Operation, readOperationLeniently } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { beginRun, runId } from './begin-run.ts';

/**
 * The turns of a standing approval. Each turn waits for the next hour or creates the run of that hour, which sends the
 * calls. The approval ends after its last run, when its time is over, or when a check fails.
 */

/** How long it waits for the end of a run; the end wakes it earlier. */
const whileRunningMs = 10 * 60_000;

interface StandingTiming extends Timing {
  readonly every: StandingApproval;
}

/** A decided request becomes a standing approval. */
export async function stand(context: EngineContext, operation: Operation): Promise<'next'> {
  const { every } = timingOf(operation);
  const startsAt = nextOf(every.weekly, context.now());
  await context.audit({
    ...entryOf(operation),
    kind: 'standing',
    text: operation.plan.title,
    data: { until: every.until, mostRuns: every.mostRuns },
    change: (on) =>
      context.store.operations.move(operation.id, 'approved', 'standing', { startsAt, delayWhy: null }, on),
  });
  return 'next';
}

/** `dueTime`: by the clock that all replicas share, with the countdown of the rule. */
export async function keepStanding(
  context: EngineContext,
  operation: Operation,
  dueTime: () => number,
): Promise<number | 'next'> {
  const { every } = timingOf(operation);
  const startsAt = operation.startsAt ?? 0;
  const runs = await lastRuns(context, operation);
  const why = whyStop(runs);
  if (why !== undefined) return stopFor(context, operation, why);
  const isRunning = runs.some(({ state }) => !isEnd(state));
  if (every.ran.length >= every.mostRuns || startsAt > every.until) {
    if (isRunning) {
      await redrawIfNew(context, operation);
      return whileRunningMs;
    }
    await end(context, operation, 'standing', 'expired', { endText: ends.standing.over(sayRan(every)) });
    return 'next';
  }
  if (startsAt > dueTime()) {
    await redrawIfNew(context, operation);
    return startsAt - dueTime();
  }
  return atHour(context, operation, startsAt, isRunning);
}

/** Creates the run of an hour, or says why it does not. */
async function atHour(
  context: EngineContext,
  operation: Operation,
  hour: number,
  isRunning: boolean,
): Promise<number | 'next'> {
  const timing = timingOf(operation);
  const id = runId(operation.id, hour);
  // A killed process may have created the run before it stored the next hour.
  if ((await context.store.operations.find(id)) !== undefined) {
    await show(context, id);
    return waitForNextRun(context, operation, [...timing.every.ran, hour]);
  }
  if (context.now() - hour > timing.graceMs) return miss(context, operation, hour);
  if (isRunning) return skip(context, operation, hour, 'the previous run has not ended');
  const by = await votersOf(context, operation);
  const begun = await beginRun(context, operation, { id, hour, by });
  if (begun.kind === 'begun') return waitForNextRun(context, operation, [...timing.every.ran, hour]);
  if (begun.kind === 'later') return laterMs;
  if (begun.kind === 'skip') return skip(context, operation, hour, begun.why);
  return stopFor(context, operation, begun.why);
}

async function votersOf({ store }: EngineContext, { id }: Operation): Promise<string[]> {
  return countingVotes(await store.votes.list(id)).map(({ userId }) => userId);
}

/** All hours that have passed count as missed at once. */
async function miss(context: EngineContext, operation: Operation, first: number): Promise<'next'> {
  const { every, graceMs } = timingOf(operation);
  const { weekly, until } = every;
  let hours = 1;
  let next = nextOf(weekly, first);
  for (; context.now() - next > graceMs && next <= until; next = nextOf(weekly, next)) hours += 1;
  const late = `could not begin within ${sayDuration(graceMs)} after its hour`;
  const why = `${hours === 1 ? 'it' : `${count(hours, 'run')}`} ${late}, and a missed run is not made up for`;
  return skip(context, operation, first, why, next);
}

/** Says in the thread that an hour has no run. */
async function skip(
  context: EngineContext,
  operation: Operation,
  hour: number,
  why: string,
  next?: number,
): Promise<'next'> {
  // The message comes before the change of the hour: after a crash in between, it is found and put again.
  const words = ['No run ', { date: hour, style: 'full' }, `: ${why}.`] as const;
  await notifyThread(context, operation, `skipped:${operation.id}:${hour}`, notice('warning', [...words]));
  const entry = {
    ...entryOf(operation),
    kind: 'skipped',
    text: `${operation.plan.title}: ${why}`,
    data: { hour },
  };
  return waitForNextRun(context, operation, timingOf(operation).every.ran, { next, entry });
}

async function waitForNextRun(
  context: EngineContext,
  operation: Operation,
  ran: readonly number[],
  { next, entry }: { readonly next?: number | undefined; readonly entry?: AuditEntry } = {},
): Promise<'next'> {
  const { expiresAt } = operation;
  const timing = timingOf(operation);
  const hour = {
    expiresAt,
    startsAt: next ?? nextOf(timing.every.weekly, operation.startsAt ?? 0),
    timing: { ...timing, every: { ...timing.every, ran: [...ran] } },
  };
  const change: AuditedChange = (on) => context.store.operations.reschedule(operation, hour, 'standing', on);
  await (entry === undefined ? change() : context.audit({ ...entry, change }));
  return 'next';
}

async function stopFor(context: EngineContext, operation: Operation, why: string): Promise<'next'> {
  const endText = ends.standing.stopped(why, sayRan(timingOf(operation).every));
  await end(context, operation, 'standing', 'stopped', { endText });
  return 'next';
}

async function lastRuns({ store }: EngineContext, operation: Operation): Promise<readonly Operation[]> {
  const ids = timingOf(operation)
    .every.ran.slice(-mostFailedRuns)
    .map((hour) => runId(operation.id, hour));
  const rows = await Promise.all(ids.map((id) => store.operations.find(id)));
  return rows.flatMap((row) => (row === undefined ? [] : [readOperationLeniently(row)]));
}

/** Refusals that hold for the next run as well. */
const lasting: readonly (string | null)[] = [
  'no_policy',
  'not_granted',
  'not_admin',
  'posture',
  'not_yours',
  'pinned',
  'not_found',
  'ambiguous',
  'impossible',
] satisfies RefusalReason[];
const failures: readonly OperationState[] = ['failed', 'unknown', 'unverified'];

/** Why no further run may begin. `runs`: the last ones, in their order. */
function whyStop(runs: readonly Operation[]): string | undefined {
  const last = runs.at(-1);
  if (last?.state === 'refused' && lasting.includes(last.endReason)) return whyNotRun(last.endText ?? '');
  const isFailing = runs.length === mostFailedRuns && runs.every(({ state }) => failures.includes(state));
  return isFailing ? `${count(mostFailedRuns, 'run')} failed in a row` : undefined;
}

function timingOf({ id, timing }: Operation): StandingTiming {
  const every = timing?.every;
  if (timing === null || every === undefined) throw new Error(`operation ${id} is no standing approval`);
  return { ...timing, every };
}
