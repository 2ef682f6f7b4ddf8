import { defined } from '../../core/text/defined.ts';
import { type Json, mapStrings } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';

/** Audit rows are permanent and quote typed lines and provider responses, so secrets are removed first. */
export function withoutSecrets(entry: AuditEntry, secrets: readonly string[] | undefined): AuditEntry {
  const strike = (text: string) => strikeSecrets(text, secrets);
  const data = entry.data && Object.entries<Json>(entry.data).map(([key, value]) => [key, mapStrings(value, strike)]);
  return { ...entry, text: strike(entry.text), ...defined({ data: data && Object.fromEntries(data) }) };
}
