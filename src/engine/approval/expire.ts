import type { EngineContext } from '../context/engine-context.ts';
import { end } from '../operation/end.ts';
import type { Operation } from '../operation/record.ts';

/** True when nobody decided in time; then it has ended. */
export async function expire(
  context: Pick<EngineContext, 'meter' | 'now' | 'store'>,
  operation: Operation,
): Promise<boolean> {
  if ((operation.expiresAt ?? 0) > context.now()) return false;
  const endText = `Expired: nobody ${operation.rule === 'confirm' ? 'confirmed' : 'approved'} it in time. Nothing was done.`;
  await end(context, operation, 'waiting', 'expired', { endText });
  return true;
}
