import type { Migration } from './migration.ts';

export const alertEnds: Migration = {
  version: 3,
  name: 'alert ends',
  statements: () => ['alter table alerts add column ends_at text'],
};
