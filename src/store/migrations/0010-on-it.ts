import type { Migration } from './migration.ts';

export const onIt: Migration = {
  version: 10,
  name: 'on-it',
  // Empty in the rows of the version before: such an alert says who is on it, and not since when.
  statements: () => ['alter table alerts add column since_at bigint', 'alter table alerts add column handed_by text'],
};
