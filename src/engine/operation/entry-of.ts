import { defined } from '../../core/text/defined.ts';
import { mapStrings } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { AuditKind } from '../../store/audit/audit-kinds.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { EngineDeps } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './read-operation.ts';

/**
 * Records an audit entry about an operation; the actor is the requester unless the entry names another. The row that the
 * entry reports changes in the same commit, as `change`; false if it did not change. Messages that are sent once, with
 * the entry, come before it: a click or a turn that a crash interrupted is repeated, and puts the same messages again.
 * The card and the next turn come after it.
 */
export function recordEntry(
  { audit }: EngineContext,
  { id, channel, requester }: Pick<Operation, 'id' | 'channel' | 'requester'>,
  kind: AuditKind,
  text: string,
  more: Omit<AuditEntry, 'kind' | 'text'> = {},
): Promise<boolean> {
  return audit({ actor: requester, channel, operation: id, kind, text, ...more });
}

export async function lastEntry({ store }: EngineContext, { id }: Pick<Operation, 'id'>, kind: AuditKind) {
  const [last] = await store.audit.list({ operationId: id, kind, limit: 1 });
  return last;
}

/** False, and no row, if the change that the entry reports changed nothing. */
export async function appendEntry({ settings, store }: EngineDeps, entry: AuditEntry): Promise<boolean> {
  let isChanged = true;
  const change: AuditEntry['change'] = async (on) => {
    isChanged = (await entry.change?.(on)) ?? true;
    return isChanged;
  };
  await store.audit.append(withoutSecrets({ ...entry, change }, settings.knownSecrets));
  return isChanged;
}

/** Audit rows are permanent and quote typed lines and provider responses, so secrets are removed first. */
function withoutSecrets(entry: AuditEntry, secrets: readonly string[] | undefined): AuditEntry {
  const strike = (text: string) => strikeSecrets(text, secrets);
  return { ...entry, text: strike(entry.text), ...defined({ data: entry.data && mapStrings(entry.data, strike) }) };
}
