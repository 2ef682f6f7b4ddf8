import { defined } from '../../core/text/defined.ts';
import { type Json, mapStrings } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { EngineDeps } from './dependencies.ts';

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
export function withoutSecrets(entry: AuditEntry, secrets: readonly string[] | undefined): AuditEntry {
  const strike = (text: string) => strikeSecrets(text, secrets);
  const data = entry.data && Object.entries<Json>(entry.data).map(([key, value]) => [key, mapStrings(value, strike)]);
  return { ...entry, text: strike(entry.text), ...defined({ data: data && Object.fromEntries(data) }) };
}
