import { isEnd } from '../../core/plan/operation.ts';
import type { LockRow } from '../../store/records/locks.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from './announce-end.ts';
import { readOperationOrRest } from './record.ts';

/**
 * True where the request that has the lock is over: it holds nobody up. A process that was killed between the end and its
 * announcement leaves both, so the announcement comes first, which releases the lock.
 */
export async function isLeft(context: EngineContext, { operationId }: Pick<LockRow, 'operationId'>): Promise<boolean> {
  const row = await context.store.operations.find(operationId);
  if (row === undefined) await context.store.locks.release(operationId);
  else if (isEnd(row.state)) await announceEnd(context, readOperationOrRest(row));
  else return false;
  return true;
}
