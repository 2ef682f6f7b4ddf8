import type { EngineContext } from '../context/engine-context.ts';
import { heldWithinMs, laterMs } from '../context/time-limits.ts';
import { redraw } from '../operation/create.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';

/** Delays and holds: approved operations that wait for a moment, or until a person clicks "Continue". */

/** Shows the reason for a delay on the card. Returns the time until the retry. */
export async function delay(context: EngineContext, operation: Operation, why: string): Promise<number> {
  if (operation.delayWhy !== why) {
    await context.store.operations.patch(operation.id, { delayWhy: why });
    await redraw(context, operation.id);
  }
  return laterMs;
}

/** Releases the locks of a held operation and shows its "Continue" button. Returns the time until the hold expires. */
export async function waitForContinue(context: EngineContext, operation: Operation): Promise<number> {
  const { store, now } = context;
  await context.audit({
    ...entryOf(operation),
    kind: 'held',
    text: `${operation.plan.title}: ${operation.heldWhy ?? ''}`,
    data: { since: operation.heldAt },
    unlessThere: 'same',
  });
  await store.locks.release(operation.id, context.owner);
  await redraw(context, operation.id);
  return Math.max(1_000, (operation.heldAt ?? now()) + heldWithinMs - now());
}

export function isHeldTooLong(context: Pick<EngineContext, 'now'>, operation: Operation): boolean {
  return operation.heldAt !== null && context.now() - operation.heldAt > heldWithinMs;
}

/** Handles a held operation that has sent nothing. */
export async function handleHeld(context: EngineContext, operation: Operation): Promise<number | 'next'> {
  if (operation.stopBy !== null) return refuse(context, operation, 'closed', ends.notRun(reasons.stopped));
  if (isHeldTooLong(context, operation)) return refuse(context, operation, 'closed', ends.notRun(reasons.heldTooLong));
  // A missed run is not made up for.
  const { timing, heldWhy } = operation;
  if (timing?.run !== undefined) return refuse(context, operation, 'closed', ends.notRun(heldWhy ?? ''));
  return waitForContinue(context, operation);
}
