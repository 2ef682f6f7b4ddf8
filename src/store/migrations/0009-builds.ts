import type { Migration } from './migration.ts';

export const builds: Migration = {
  version: 9,
  name: 'builds',
  // The version of each process that is at work: rows of a newer one are left to it.
  statements: () => ['alter table presence add column build bigint'],
};
