import type { OperationState } from '../../core/operation.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { endReply } from './card.ts';
import { redraw } from './create.ts';
import { endEntry } from './end.ts';
import { type Operation, readStepOrRest } from './record.ts';
import { notifyThread } from './thread.ts';

/** The person who asked ended it with a click of their own; the card says so. */
const quietEnds: readonly OperationState[] = ['withdrawn'];

/** Everything an end owes: the card, the reply in the thread, the locks. Idempotent: a crash repeats it. */
export async function announceEnd(context: EngineContext, operation: Operation): Promise<void> {
  await context.store.locks.release(operation.id);
  // A crash between an end and its line in the audit must not leave it out.
  await context.audit(endEntry(operation, operation.state, operation.endText ?? operation.state, operation.endedBy));
  const steps = (await context.store.steps.list(operation.id)).map(readStepOrRest);
  await redraw(context, operation.id);
  if (!quietEnds.includes(operation.state))
    await notifyThread(context, operation, `end:${operation.id}`, endReply(operation, steps));
}
