import { type Frozen, sayFrozenBriefly } from '../access/freezes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { frozenAgainMs, frozenWithinMs } from '../context/time-limits.ts';
import { redraw } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { ends } from '../operation/ends.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { coolingMsOf, type DueClock } from './cooling.ts';

/** Decided operations that wait for their hour. */

/** True if its hour has not come by the clock that all replicas share. */
export function isAhead(operation: Operation, { dueTime }: DueClock): boolean {
  const { startsAt, stopBy } = operation;
  return startsAt !== null && stopBy === null && startsAt - countdownMs(operation) > dueTime();
}

export async function schedule(context: EngineContext, operation: Operation): Promise<'next'> {
  const { store } = context;
  await context.audit({
    ...entryOf(operation),
    kind: 'scheduled',
    text: operation.plan.title,
    data: { startsAt: operation.startsAt },
    unlessThere: 'same',
  });
  await store.operations.move(operation.id, 'approved', 'scheduled', { delayWhy: null });
  await store.locks.release(operation.id);
  await redraw(context, operation.id);
  return 'next';
}

/** A scheduled request counts down to its hour. */
function countdownMs(operation: Operation): number {
  return operation.readyAt === null ? coolingMsOf(operation) : 0;
}

/**
 * Lets an operation that is frozen at its hour wait for the end of the freeze, if its requester chose so. It checks again
 * and again, since a freeze can be ended early.
 */
export async function waitForThaw(context: EngineContext, operation: Operation, frozen: Frozen): Promise<'next'> {
  const { store, now } = context;
  const { timing, startsAt } = operation;
  const since = timing?.frozen?.since ?? startsAt ?? now();
  if (timing === null || now() - since > frozenWithinMs) {
    await end(context, operation, 'approved', 'refused', {
      endReason: 'frozen',
      endText: ends.notRun(sayFrozenBriefly(frozen)),
    });
    return 'next';
  }
  await store.operations.move(operation.id, 'approved', 'scheduled', {
    startsAt: Math.min(frozen.until ?? Number.POSITIVE_INFINITY, now() + frozenAgainMs),
    timing: { ...timing, frozen: { since, why: sayFrozenBriefly(frozen) } },
  });
  await store.locks.release(operation.id);
  await redraw(context, operation.id);
  return 'next';
}

/** Returns the time until the moment, or the operation to the checks before the first write. */
export async function waitForMoment(
  context: EngineContext,
  operation: Operation,
  { dueTime }: DueClock,
): Promise<number | 'next'> {
  const { id, startsAt } = operation;
  const leftMs = (startsAt ?? 0) - countdownMs(operation) - dueTime();
  if (leftMs > 0 && operation.stopBy === null) return leftMs;
  await context.store.operations.move(id, 'scheduled', 'approved');
  return 'next';
}
