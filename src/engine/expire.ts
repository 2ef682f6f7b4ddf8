import { end } from './end.ts';
import type { Kit } from './kit.ts';
import type { Operation } from './records.ts';

/** True when nobody decided in time; then it has ended. */
export async function expire(kit: Kit, operation: Operation): Promise<boolean> {
  if ((operation.expiresAt ?? 0) > kit.deps.now()) return false;
  const endText = `expired: nobody ${operation.rule === 'confirm' ? 'confirmed' : 'approved'} it in time. Nothing was done.`;
  await end(kit, operation, 'waiting', 'expired', { endText });
  return true;
}
