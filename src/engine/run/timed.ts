import type { EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import type { TurnScope } from './work.ts';

/** Decided operations that wait for a moment: the hour of a scheduled one, the end of a countdown. */

type Clock = Pick<TurnScope, 'dueTime'>;

/** True if its hour has not come by the clock that all replicas share. */
export function isAhead({ startsAt, stopBy }: Pick<Operation, 'startsAt' | 'stopBy'>, { dueTime }: Clock): boolean {
  return startsAt !== null && stopBy === null && startsAt > dueTime();
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

/** Returns the time until the moment, or the operation to the checks before the first write. */
export async function waitForMoment(
  context: EngineContext,
  { id, state, startsAt, readyAt }: Operation,
  { dueTime }: Clock,
): Promise<number | 'next'> {
  const leftMs = ((state === 'cooling' ? readyAt : startsAt) ?? 0) - dueTime();
  if (leftMs > 0) return leftMs;
  await context.store.operations.move(id, state, 'approved');
  return 'next';
}
