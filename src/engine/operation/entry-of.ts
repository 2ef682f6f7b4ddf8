import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Named = Pick<Operation, 'id' | 'channel' | 'requester'>;

/**
 * The fields that all audit entries of an operation share; the actor is the requester unless the entry names another.
 */
export function entryOf({ id, channel, requester }: Named): Pick<AuditEntry, 'actor' | 'channel' | 'operation'> {
  return { actor: requester, channel, operation: id };
}

/** Records an audit entry about an operation. False if its change was not made. */
export function recordEntry(
  { audit }: Pick<EngineContext, 'audit'>,
  operation: Named,
  kind: string,
  text: string,
  more: Omit<AuditEntry, 'kind' | 'text'> = {},
): Promise<boolean> {
  return audit({ ...entryOf(operation), kind, text, ...more });
}
