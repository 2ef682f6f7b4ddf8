import type { Migration } from './migration.ts';

export const begunAndSigned: Migration = {
  version: 6,
  name: 'begun and signed',
  statements: () => [
    // A request whose work ends the process must not be begun for ever.
    'alter table inbox add column begun integer not null default 1',
    // The end of the audit, signed with a key that is not in the database.
    'alter table audit_head add column signature text',
  ],
};
