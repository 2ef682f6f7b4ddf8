import type { OperationState } from '../core/operation.ts';
import { endReply } from './card.ts';
import { endEntry } from './end.ts';
import type { Kit } from './kit.ts';
import { redraw } from './propose.ts';
import { type Operation, readStep } from './records.ts';
import { tellInThread } from './thread.ts';

/** The person who asked ended it with a click of their own; the card says so. */
const quietEnds: readonly OperationState[] = ['withdrawn'];

/** Everything an end owes: the card, the reply in the thread, the locks. Idempotent: a crash repeats it. */
export async function settle(kit: Kit, operation: Operation): Promise<void> {
  await kit.deps.store.locks.release(operation.id);
  // A crash between an end and its line in the audit must not leave it out.
  await kit.audit(endEntry(operation, operation.state, operation.endText ?? operation.state, operation.endedBy));
  const steps = (await kit.deps.store.steps.list(operation.id)).map(readStep);
  await redraw(kit, operation.id);
  if (quietEnds.includes(operation.state)) return;
  await tellInThread(kit, operation, `end:${operation.id}`, endReply(operation, steps));
}
