import { mayReadRequest } from '../../core/account/account.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { readOperationLeniently } from './record.ts';

/** Names the request that holds a lock, if the reader may read everything that its title names. */
export async function sayHolder(
  { store }: Pick<EngineContext, 'store'>,
  { operationId, reason }: { readonly operationId: string; readonly reason: string },
  access: Pick<Access, 'channel' | 'may'>,
  requester: string,
): Promise<string> {
  const row = await store.operations.find(operationId);
  const isNamed =
    row !== undefined && (row.requester === requester || mayReadRequest(readOperationLeniently(row).plan, access));
  return isNamed ? `"${reason}"` : 'another request';
}
