import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { askingOf, doingOf, type Operation, type OperationStep } from '../operation/record.ts';
import { phases } from './step-logic.ts';
import type { TurnScope } from './turn.ts';

/** `moved` when the step is in another state, else the time until its next look. */
export type LookResult = 'moved' | number;

export function isFollowed(step: OperationStep): step is OperationStep & { state: keyof typeof phases } {
  return step.state in phases;
}

/** Looks once at a step that the provider has: its job, its target, or what came of a lost response. Stores the result. */
export async function lookAtStep(
  context: EngineContext,
  operation: Operation,
  step: OperationStep & { readonly state: keyof typeof phases },
  scope: Pick<TurnScope, 'dueTime' | 'paced' | 'random'>,
): Promise<LookResult> {
  const { store, meter, now } = context;
  const { id, requester, channel } = operation;
  const command = commandAt(context, operation.command);
  if (command?.kind !== 'action') throw new Error(`this version has no action ${operation.command}`);
  const elapsedMs = now() - (step.acceptedAt ?? now());
  const found = await phases[step.state]({
    step: command.step(step.data),
    doing: doingOf(operation, step),
    receipt: step.receipt ?? undefined,
    seen: { wasAway: step.seenAway === 1 },
    read: async () => context.readContext(askingOf(operation), await context.accessOf(requester, channel)),
    looks: step.looks + 1,
    elapsedMs,
    random: scope.random(),
    usualMs: (action) => store.durations.recent(action, 50),
    isSeveral: operation.plan.isSeveral === true,
  });
  if (found.jobEnded !== undefined) {
    meter.watched(step.lookedAt === null ? elapsedMs : scope.dueTime() - step.lookedAt);
    await store.durations.add(found.jobEnded, elapsedMs);
  }
  if (found.kind === 'wait' || found.isAway === true) {
    const waitMs = found.kind === 'wait' ? scope.paced(found.ms) : 0;
    await store.steps.looked(id, step.n, step.state, waitMs, found.isAway === true);
    if (found.kind === 'wait') return waitMs;
  }
  if (found.kind === 'verifying') await store.steps.move(id, step.n, step.state, 'verifying');
  else await store.steps.move(id, step.n, step.state, found.state, { note: found.note });
  return 'moved';
}
