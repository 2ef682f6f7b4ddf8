import type { Migration } from './migration.ts';

/** Due times and leases of turns in the rows themselves; what an operation's row is written in; leases; indexes on what is open. */
export const turns: Migration = {
  version: 4,
  name: 'turns',
  statements: ({ plainText }) => [
    'drop index operations_without_run',
    'alter table operations drop column run_id',
    // Null when nothing is owed any more: no turn, no card, no reply.
    'alter table operations add column next_turn_at bigint',
    'alter table operations add column turn_owner text',
    'alter table operations add column turn_until bigint not null default 0',
    'alter table operations add column turn_failures bigint not null default 0',
    'alter table operations add column format bigint not null default 1',
    // Operations that ended lately may still owe their card; looking once more changes nothing.
    "update operations set next_turn_at = 0 where state in ('waiting', 'approved', 'running', 'reading')",
    'create index operations_due on operations (next_turn_at) where next_turn_at is not null',
    // Open operations are found without passing those that ended.
    "create index operations_open on operations (created_at, id) where state in ('waiting', 'approved', 'running', 'reading')",
    "create index operations_open_channel on operations (channel, created_at, id) where state in ('waiting', 'approved', 'running', 'reading')",
    'create index steps_under_way on steps (started_at) where started_at is not null and ended_at is null',

    `create table leases (
      name ${plainText} primary key,
      owner text not null,
      until bigint not null
    )`,
  ],
};
