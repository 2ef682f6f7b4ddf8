import type { Migration } from './migration.ts';

export const secondLook: Migration = {
  version: 5,
  name: 'second look',
  statements: ({ plainText }) => [
    // Why what was decided does not go on by itself, and what somebody said about that.
    'alter table operations add column held_at bigint',
    'alter table operations add column held_why text',
    'alter table operations add column delay_why text',
    'alter table operations add column continued_at bigint',
    'alter table operations add column stop_by text',
    'alter table operations add column stop_at bigint',
    'alter table operations add column undone_by text',
    // The server was seen away after the request, whichever process saw it.
    'alter table steps add column seen_away bigint not null default 0',
    // The last time at which a process looked after the requests.
    `create table presence (id ${plainText} primary key, at bigint not null)`,
  ],
};
