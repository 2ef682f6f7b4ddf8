import type { OperationState } from '../../core/plan/operation.ts';
import type { OperationPatch } from '../../store/records/operations.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Ending = OperationPatch & { readonly endText: string };

/**
 * The one way to an end: the row moves, and the process that moved it counts it. False when it had ended or moved on
 * already. The row owes its audit entry, the card and the reply until they are written (announce-end.ts).
 */
export async function end(
  context: Pick<EngineContext, 'meter' | 'store'>,
  operation: Pick<Operation, 'id' | 'command'>,
  from: OperationState | readonly OperationState[],
  to: OperationState,
  ending: Ending,
  endedBy: string | null = null,
): Promise<boolean> {
  const outcome = endedBy === null ? {} : { outcome: { by: endedBy } };
  if (!(await context.store.operations.move(operation.id, from, to, { ...ending, ...outcome }))) return false;
  context.meter.operation(operation.command, to);
  return true;
}
