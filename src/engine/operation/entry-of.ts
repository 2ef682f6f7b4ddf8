import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { Operation } from './record.ts';

/**
 * The fields that all audit entries of an operation share; the actor is the requester unless the entry names another.
 */
export function entryOf({
  id,
  channel,
  requester,
}: Pick<Operation, 'id' | 'channel' | 'requester'>): Pick<AuditEntry, 'actor' | 'channel' | 'operation'> {
  return { actor: requester, channel, operation: id };
}
