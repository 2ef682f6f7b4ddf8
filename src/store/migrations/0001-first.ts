import type { Migration } from './migration.ts';

export const first: Migration = {
  version: 1,
  name: 'first',
  statements: ({ serialKey, plainText }) => [
    `create table inbox (
      key ${plainText} primary key,
      kind text not null,
      body text not null,
      received_at bigint not null,
      state text not null,
      claimed_by text,
      claimed_until bigint not null
    )`,
    'create index inbox_state on inbox (state, received_at)',

    `create table operations (
      id ${plainText} primary key,
      command text not null,
      args text not null,
      channel text not null,
      thread text,
      requester text not null,
      place text not null,
      risk text not null,
      rule text not null,
      policy_version text not null,
      plan text not null,
      facts_hash text not null,
      state text not null,
      end_reason text,
      end_text text,
      outcome text,
      undo text,
      run_id text,
      supersedes text,
      created_at bigint not null,
      expires_at bigint,
      decided_at bigint,
      started_at bigint,
      ended_at bigint,
      updated_at bigint not null
    )`,
    'create index operations_created on operations (created_at, id)',
    'create index operations_state on operations (state, created_at, id)',
    'create index operations_requester on operations (requester, created_at, id)',
    'create index operations_channel on operations (channel, created_at, id)',
    'create index operations_command on operations (command, created_at, id)',
    'create index operations_without_run on operations (state, created_at) where run_id is null',

    `create table steps (
      operation_id ${plainText} not null references operations (id) on delete cascade,
      n bigint not null,
      target text not null,
      label text not null,
      data text not null,
      state text not null,
      attempt text,
      receipt text,
      job text,
      note text,
      watch_owner text,
      watch_until bigint not null,
      started_at bigint,
      accepted_at bigint,
      ended_at bigint,
      primary key (operation_id, n)
    )`,
    'create index steps_state on steps (state, started_at)',

    `create table votes (
      operation_id ${plainText} not null references operations (id) on delete cascade,
      user_id text not null,
      vote text not null,
      comment text,
      at bigint not null,
      is_void bigint not null,
      why text,
      primary key (operation_id, user_id)
    )`,

    `create table locks (
      target ${plainText} primary key,
      operation_id text not null,
      owner text not null,
      reason text not null,
      since bigint not null
    )`,
    'create index locks_operation on locks (operation_id)',

    `create table freezes (
      id text primary key,
      scope text not null,
      reason text not null,
      by_user text not null,
      since bigint not null,
      until bigint,
      ended_at bigint
    )`,
    'create index freezes_active on freezes (since) where ended_at is null',

    `create table messages (
      seq ${serialKey},
      key text not null unique,
      channel text not null,
      user_id text,
      parent_key text,
      thread_ts text,
      view text not null,
      wanted bigint not null,
      delivered bigint not null,
      ts text,
      state text not null,
      attempts bigint not null,
      not_before bigint not null,
      claimed_by text,
      claimed_until bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      error text
    )`,
    "create index messages_due on messages (seq) where state = 'due'",
    'create index messages_state on messages (state, updated_at)',

    `create table audit (
      seq bigint primary key,
      at bigint not null,
      kind text not null,
      actor text,
      channel text,
      operation_id text,
      data text not null,
      prev text not null,
      hash text not null
    )`,
    'create index audit_kind on audit (kind, seq)',
    'create index audit_actor on audit (actor, seq)',
    'create index audit_channel on audit (channel, seq)',
    'create index audit_operation on audit (operation_id, seq)',
    // The head is kept apart from the chain, so that a tail cut off is noticed.
    'create table audit_head (id bigint primary key, seq bigint not null, hash text not null)',
    `insert into audit_head (id, seq, hash) values (1, 0, '${'0'.repeat(64)}')`,

    `create table secrets (
      id text primary key,
      user_id text not null,
      operation_id text,
      title text not null,
      sealed text not null,
      expires_at bigint not null
    )`,
    'create index secrets_expires on secrets (expires_at)',

    `create table forms (
      id text primary key,
      user_id text not null,
      data text not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    'create index forms_expires on forms (expires_at)',

    `create table durations (
      id ${serialKey},
      kind text not null,
      ms bigint not null,
      at bigint not null
    )`,
    'create index durations_kind on durations (kind, id)',

    `create table entries (
      space ${plainText} not null,
      key ${plainText} not null,
      value text not null,
      expires_at bigint,
      primary key (space, key)
    )`,
    'create index entries_expires on entries (expires_at) where expires_at is not null',
  ],
};
