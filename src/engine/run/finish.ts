import type { DoneStep } from '../../core/command/command.ts';
import { defined } from '../../core/text/defined.ts';
import { type Json, toJson } from '../../core/text/json.ts';
import { sayDuration } from '../../core/text/words.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { type WorkedEnd, workedEnds } from '../operation/ends.ts';
import { noteLeaving } from '../operation/gone.ts';
import { notAsked } from '../operation/outside.ts';
import type { Operation, OperationStep } from '../operation/read-operation.ts';

const worstFirst = ['unknown', 'failed', 'unverified'] as const;

/** Determines the operation's end and its text after all steps have ended. */
export async function finish(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  steps: readonly OperationStep[],
): Promise<void> {
  const { now } = context;
  const to = endOf(steps);
  const tookMs = now() - (operation.startedAt ?? now());
  // Omits durations under 1.5 seconds.
  const took = operation.plan.isLater || tookMs < 1_500 ? '' : ` in ${sayDuration(tookMs)}`;
  const [first, ...others]: DoneStep<Json>[] = steps
    .filter((step) => step.state === 'done' || step.state === 'unverified')
    .map((step) => ({
      ...defined({ command: step.command ?? undefined }),
      part: step.part,
      label: ownLabel(operation, steps, step),
      data: step.data,
      receipt: step.receipt ?? undefined,
      verdict: step.note === null ? undefined : { is: step.state === 'done' ? 'so' : 'unsure', text: step.note },
    }));
  const ending = first && command.done([first, ...others], operation);
  const endText = workedEnds[to](operation, steps, ending?.text ?? operation.plan.title, took);
  if (ending?.leaving !== undefined && (to === 'done' || to === 'unverified'))
    await noteLeaving(context, operation, ending.leaving);
  const { published = [] } = ending ?? {};
  const isFollowed = to === 'done' && published.length > 0 && context.nameServers !== undefined;
  // A refused operation has sent nothing, so it is never in state `reading`.
  await end(context, operation, to === 'refused' ? 'running' : ['running', 'reading'], to, {
    endText,
    undo:
      ending?.undoLabel === undefined ? (ending?.undo ?? null) : { line: ending.undo ?? '', label: ending.undoLabel },
    ...(isFollowed ? { outside: toJson(notAsked(published)) } : {}),
    ...(to === 'refused' ? { endReason: 'changed' } : {}),
  });
}

/** The label that the command of the step gave it; a plan of several lines shows another. */
function ownLabel({ plan }: Operation, steps: readonly OperationStep[], { label, n, part }: OperationStep): string {
  const first = steps.find((step) => step.part === part)?.n ?? n;
  return plan.parts?.[part]?.labels[n - first] ?? label;
}

/** Returns the worst step's end, unknown before failed. If steps were only skipped, it is `stopped` or `refused`. */
function endOf(steps: readonly OperationStep[]): WorkedEnd {
  const worst = worstFirst.find((state) => steps.some((step) => step.state === state));
  if (worst !== undefined) return worst;
  if (!steps.some((step) => step.state === 'skipped')) return 'done';
  return steps.some((step) => step.state === 'done') ? 'stopped' : 'refused';
}

/**
 * Marks the request that this one has undone: its card names the person who undid it and loses the Undo button.
 * Idempotent, since it is repeated after a crash.
 */
export async function markUndone(context: EngineContext, operation: Operation): Promise<void> {
  const id = operation.state === 'done' ? actionAt(context, operation)?.undoes?.(operation.args) : undefined;
  if (id === undefined || (await context.store.operations.find(id)) === undefined) return;
  await context.store.operations.patch(id, { undoneBy: operation.requester });
  await redraw(context, id);
}
