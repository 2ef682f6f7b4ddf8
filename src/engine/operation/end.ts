import type { OperationState } from '../../core/plan/operation.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import type { OperationPatch } from '../../store/records/operations.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Ending = Omit<OperationPatch, 'outcome'> & {
  readonly endText: string;
  /** An approver asked for changes. */
  readonly isSentBack?: true;
};

/**
 * The only way to an end: moves the row, and the process that moved it counts the end. False if the row had already
 * left the state. announce-end.ts then writes the audit entry, the card and the reply.
 */
export async function end(
  context: Pick<EngineContext, 'meter' | 'store'>,
  operation: Pick<Operation, 'id' | 'command'>,
  from: OperationState | readonly OperationState[],
  to: OperationState,
  { isSentBack, ...ending }: Ending,
  endedBy: string | null = null,
): Promise<boolean> {
  const outcome = endedBy === null ? {} : { outcome: { by: endedBy, ...(isSentBack && { isSentBack }) } };
  if (!(await context.store.operations.move(operation.id, from, to, { ...ending, ...outcome }))) return false;
  context.meter.operation(operation.command, to);
  return true;
}

/** Ends an approved operation before its first write. */
export async function refuse(
  context: Pick<EngineContext, 'meter' | 'store'>,
  operation: Operation,
  reason: RefusalReason,
  endText: string,
): Promise<'next'> {
  await end(context, operation, 'approved', 'refused', { endReason: reason, endText });
  return 'next';
}
