import { isEnd } from '../../core/plan/operation.ts';
import type { LockRow } from '../../store/records/locks.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from './announce-end.ts';
import { readOperationLeniently } from './record.ts';

/**
 * True if the request that holds the lock has ended, and releases the lock. A process killed between an end and its
 * announcement leaves the lock behind, so the announcement, which releases it, is repeated first.
 */
export async function releaseIfEnded(
  context: EngineContext,
  { operationId }: Pick<LockRow, 'operationId'>,
): Promise<boolean> {
  const row = await context.store.operations.find(operationId);
  if (row === undefined) await context.store.locks.release(operationId);
  else if (isEnd(row.state)) await announceEnd(context, readOperationLeniently(row));
  else return false;
  return true;
}
