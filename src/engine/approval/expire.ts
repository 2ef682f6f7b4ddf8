import type { EngineContext } from '../context/engine-context.ts';
import { end } from '../operation/end.ts';
import { ends } from '../operation/ends.ts';
import type { Operation } from '../operation/record.ts';

/** Ends the request and returns true if its time to decide has passed. */
export async function expire(
  context: Pick<EngineContext, 'meter' | 'now' | 'store'>,
  operation: Operation,
): Promise<boolean> {
  if ((operation.expiresAt ?? 0) > context.now()) return false;
  await end(context, operation, 'waiting', 'expired', { endText: ends.expired(operation.rule) });
  return true;
}
