import type { Store } from '../../../src/store/database.ts';
import type { OperationRow } from '../../../src/store/records/operation-row.ts';

/** Everything that has not ended, oldest first. */
export async function openOperations({
  operations,
}: {
  readonly operations: Pick<Store['operations'], 'list'>;
}): Promise<OperationRow[]> {
  return (await operations.list({ open: true, limit: 100_000 })).reverse();
}
