import type { Migration } from './migration.ts';

export const lasted: Migration = {
  version: 8,
  name: 'lasted',
  // It is not written any more; a process of the version before may still write it during an upgrade.
  statements: () => ['alter table inbox add column lasted integer not null default 0'],
};
