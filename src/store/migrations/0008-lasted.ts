import type { Migration } from './migration.ts';

export const lasted: Migration = {
  version: 8,
  name: 'lasted',
  // A kill at a random moment says nothing about the request that was begun right before it.
  statements: () => ['alter table inbox add column lasted integer not null default 0'],
};
