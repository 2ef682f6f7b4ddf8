import type { Migration } from './migration.ts';

export const archives: Migration = {
  version: 7,
  name: 'archives',
  statements: ({ serialKey }) => [
    // A file that takes what is old, and how far it got: of what is behind `bytes` nothing was deleted yet.
    `create table archives (
      id ${serialKey},
      file text not null,
      until bigint not null,
      bytes bigint not null,
      operations bigint not null,
      audit bigint not null,
      started_at bigint not null,
      ended_at bigint,
      left_at bigint
    )`,
    // The last row of the audit that is in an archive: the first one here follows it.
    'alter table audit_head add column base_seq bigint not null default 0',
    `alter table audit_head add column base_hash text not null default '${'0'.repeat(64)}'`,
    'alter table audit_head add column base_signature text',
    'create index operations_ended on operations (ended_at, id) where ended_at is not null',

    // Open requests of a person are found without passing all that they ever asked for.
    "create index operations_open_requester on operations (requester, created_at, id) where state in ('waiting', 'approved', 'running', 'reading')",
    'create index audit_channel_actor on audit (channel, actor, seq)',
    // These led through what has ended, or nowhere; each costs something with every write.
    ...['operations_state', 'operations_command', 'steps_state', 'steps_started', 'audit_kind', 'audit_actor'].map(
      (index) => `drop index ${index}`,
    ),
  ],
};
