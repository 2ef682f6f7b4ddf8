import type { EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { coolingMsOf } from './cooling.ts';
import type { TurnScope } from './work.ts';

/** Decided operations that wait for their hour. */

type Clock = Pick<TurnScope, 'dueTime'>;

/** True if its hour has not come by the clock that all replicas share. */
export function isAhead(operation: Operation, { dueTime }: Clock): boolean {
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

/** It counts down to its hour. */
function countdownMs(operation: Operation): number {
  return operation.readyAt === null ? coolingMsOf(operation) : 0;
}

/** Returns the time until the moment, or the operation to the checks before the first write. */
export async function waitForMoment(
  context: EngineContext,
  operation: Operation,
  { dueTime }: Clock,
): Promise<number | 'next'> {
  const { id, startsAt } = operation;
  const leftMs = (startsAt ?? 0) - countdownMs(operation) - dueTime();
  if (leftMs > 0 && operation.stopBy === null) return leftMs;
  await context.store.operations.move(id, 'scheduled', 'approved');
  return 'next';
}
