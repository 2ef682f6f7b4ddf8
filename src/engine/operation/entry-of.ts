import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { Operation } from './record.ts';

/** The part that is the same in every audit entry about an operation; its person, unless the entry names another. */
export function entryOf({
  id,
  channel,
  requester,
}: Pick<Operation, 'id' | 'channel' | 'requester'>): Pick<AuditEntry, 'actor' | 'channel' | 'operation'> {
  return { actor: requester, channel, operation: id };
}
