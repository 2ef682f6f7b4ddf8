import type { OperationState } from '../../core/plan/operation.ts';
import type { OperationPatch } from '../../store/records/operations.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Ending = OperationPatch & { readonly endText: string };

/**
 * The only way to an end: moves the row, and the process that moved it counts the end. False if the row had already
 * left the state. announce-end.ts then writes the audit entry, the card and the reply.
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
