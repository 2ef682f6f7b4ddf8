import { notice } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { lostWords, notes } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation, OperationStep } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';

/** `running → reading`: the provider may or may not have applied the step. Notifies the thread at once. */
export async function markLost(context: EngineContext, operation: Operation, step: OperationStep, why: string) {
  const note = notes.lost(why);
  const isLost = await context.store.steps.move(operation.id, step.n, 'running', 'reading', { note });
  if (isLost) await notifyLost(context, operation, { ...step, note, state: 'reading' });
}

/** Notifies the thread of a lost response. Idempotent: each turn repeats it for every step in `reading`. */
export async function notifyLost(context: EngineContext, operation: Operation, step: OperationStep): Promise<void> {
  const { n, note } = step;
  // The row comes before the audit, so that a request with a `lost` entry gets a reply at its end even if this process
  // is killed.
  await context.store.operations.move(operation.id, 'running', 'reading', { outcome: { by: null, wasLost: true } });
  const entry = { data: { step: n }, unlessThere: 'same' } as const;
  await recordEntry(context, operation, 'lost', `${operation.plan.title}: ${note ?? ''}`, entry);
  await notifyThread(context, operation, `lost:${operation.id}:${n}`, notice('warning', lostWords(operation, [step])));
  await redraw(context, operation.id);
}
