import type { Migration } from './migration.ts';

export const auditChanges: Migration = {
  version: 11,
  name: 'audit-changes',
  // Leads to what was done in a channel past all that was only read there.
  statements: () => ["create index audit_changes on audit (channel, seq) where kind not in ('answered', 'refreshed')"],
};
