import type { OperationState } from '../../core/operation.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { OperationPatch } from '../../store/operations.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Ending = OperationPatch & { readonly endText: string };

/** Kinds of audit entries of an end: an end before anything was sent has a kind of its own, any other is `ended`. */
const unsent: readonly string[] = ['declined', 'expired', 'withdrawn', 'refused'] satisfies OperationState[];
const endKinds = [...unsent, 'ended'];

/** Written once, by whoever made the end or by whoever finds that a crash left it out (announce-end.ts). */
export function endEntry(
  { id, channel, requester }: Pick<Operation, 'id' | 'channel' | 'requester'>,
  state: OperationState,
  text: string,
  endedBy: string | null,
): AuditEntry {
  const isUnsent = unsent.includes(state);
  return {
    kind: isUnsent ? state : 'ended',
    actor: endedBy ?? requester,
    channel,
    operation: id,
    text,
    ...(isUnsent ? {} : { data: { end: state } }),
    unlessThere: endKinds,
  };
}

/**
 * The one way to an end: the row moves, and the process that moved it counts and records the end. False when it had
 * ended or moved on already. announce-end.ts tells people.
 */
export async function end(
  context: EngineContext,
  operation: Pick<Operation, 'id' | 'channel' | 'requester' | 'command'>,
  from: OperationState | readonly OperationState[],
  to: OperationState,
  ending: Ending,
  endedBy: string | null = null,
): Promise<boolean> {
  if (!(await context.store.operations.move(operation.id, from, to, { ...ending, outcome: { by: endedBy } })))
    return false;
  context.meter.operation(operation.command, to);
  await context.audit(endEntry(operation, to, ending.endText, endedBy));
  return true;
}
