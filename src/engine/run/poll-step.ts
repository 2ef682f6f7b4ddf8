import { defined } from '../../core/text/defined.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { askingOf, closedStep, doingOf, type Operation, type OperationStep } from '../operation/read-operation.ts';
import type { DueClock } from '../time/due.ts';
import { phases } from './step-logic.ts';

/** Clock, pace and randomness for polls of the provider. */
export interface PollTiming extends DueClock {
  /** Stretches the delay of a poll according to the operations under way and the age of the job. */
  readonly paced: (ms: number, ageMs: number) => number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export function isFollowed(step: OperationStep): step is OperationStep & { state: keyof typeof phases } {
  return step.state in phases;
}

/**
 * Polls a step that the provider has received once: its job, its target, or the effect of a lost response. Stores the
 * result and returns the time until the next poll, or `moved` if the step changed its state.
 */
export async function pollStep(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  step: OperationStep & { readonly state: keyof typeof phases },
  timing: PollTiming,
): Promise<number | 'moved'> {
  const { store, meter, now } = context;
  const { id, requester, channel } = operation;
  const elapsedMs = now() - (step.acceptedAt ?? now());
  const result = await phases[step.state]({
    step: closedStep(command, step),
    doing: doingOf(operation, step),
    receipt: step.receipt ?? undefined,
    seen: { wasOffline: step.seenAway === 1 },
    read: async () => context.readContext(askingOf(operation), await context.accessOf(requester, channel)),
    looks: step.looks + 1,
    elapsedMs,
    random: timing.random(),
    usualMs: store.durations.recent,
    isSeveral: operation.plan.isSeveral === true,
    answering: answeringOf(context, operation, step),
  });
  if (result.jobEnded !== undefined) {
    meter.watched(step.lookedAt === null ? elapsedMs : timing.dueTime() - step.lookedAt);
    await store.durations.add(result.jobEnded, elapsedMs);
  }
  if (result.kind === 'wait' || result.isOffline === true) {
    const waitMs = result.kind === 'wait' ? timing.paced(result.ms, step.state === 'accepted' ? elapsedMs : 0) : 0;
    await store.steps.looked(id, step.n, step.state, waitMs, result.isOffline === true);
    if (result.kind === 'wait') return waitMs;
  }
  const { note, comeback } = { note: undefined, comeback: undefined, ...result };
  const to = result.kind === 'end' ? result.state : result.kind;
  await store.steps.move(id, step.n, step.state, to, defined({ note, comeback }));
  return 'moved';
}

function answeringOf(
  { prober, now }: EngineContext,
  { stopBy }: Operation,
  { comeback, note, startedAt }: OperationStep,
) {
  if (comeback === null) return undefined;
  const probe = () => prober.probe(comeback.before);
  const sinceWriteMs = now() - (startedAt ?? now());
  return { comeback, probe, now: now(), sinceWriteMs, note: note ?? '', isStopped: stopBy !== null };
}
