import type { OperationRow } from '../../../src/store/records/operation-row.ts';
import type { Operations } from '../../../src/store/records/operations.ts';

/** Everything that has not ended, oldest first. */
export async function openOperations({
  operations,
}: {
  readonly operations: Pick<Operations, 'list'>;
}): Promise<OperationRow[]> {
  return (await operations.list({ open: true, limit: 100_000 })).reverse();
}
