import { openStates, underWayStates } from '../../core/plan/operation.ts';
import type { SqlDialect } from '../dialect.ts';
import { needsApproval } from '../response-times.ts';

const open = openStates.map((state) => `'${state}'`).join(', ');
const underWay = underWayStates.map((state) => `'${state}'`).join(', ');

export const first = {
  version: 1,
  name: 'first-2026-11-30-f',
  statements: ({ serialKey, text }: Pick<SqlDialect, 'serialKey' | 'text'>) => [
    `create table inbox (
      key ${text} primary key,
      body ${text} not null,
      received_at bigint not null,
      state ${text} not null,
      claimed_by ${text},
      claimed_until bigint not null,
      begun bigint not null
    )`,
    'create index inbox_state on inbox (state, received_at)',

    `create table operations (
      id ${text} primary key,
      command ${text} not null,
      args ${text} not null,
      channel ${text} not null,
      thread ${text},
      requester ${text} not null,
      token ${text},
      risk ${text} not null,
      rule ${text} not null,
      policy_version ${text} not null,
      plan ${text} not null,
      facts_hash ${text} not null,
      state ${text} not null,
      starts_at bigint,
      begins ${text} not null,
      ready_at bigint,
      glass ${text},
      end_reason ${text},
      end_text ${text},
      outcome ${text},
      undo ${text},
      created_at bigint not null,
      expires_at bigint,
      decided_at bigint,
      started_at bigint,
      ended_at bigint,
      updated_at bigint not null,
      next_turn_at bigint,
      turn_owner ${text},
      turn_until bigint not null,
      turn_failures bigint not null,
      held_at bigint,
      held_why ${text},
      delay_why ${text},
      continued_at bigint,
      stop_by ${text},
      stop_at bigint,
      undone_by ${text},
      outside ${text},
      outside_since bigint
    )`,
    'create index operations_created on operations (created_at, id)',
    'create index operations_requester on operations (requester, created_at, id)',
    'create index operations_channel on operations (channel, created_at, id)',
    'create index operations_due on operations (next_turn_at) where next_turn_at is not null',
    'create index operations_ended on operations (ended_at, id) where ended_at is not null',
    'create index operations_owed on operations (ended_at) where ended_at is not null and next_turn_at is not null and outside_since is null',
    'create index operations_hour on operations (starts_at, id) where starts_at is not null and ended_at is null',
    `create index operations_answers on operations (created_at, id) where ${needsApproval}`,
    // Partial, so that open requests are found without reading ended ones.
    `create index operations_open on operations (created_at, id) where state in (${open})`,
    `create index operations_under_way on operations (id) where state in (${underWay})`,
    `create index operations_open_channel on operations (channel, created_at, id) where state in (${open})`,
    `create index operations_open_requester on operations (requester, created_at, id) where state in (${open})`,

    `create table steps (
      operation_id ${text} not null references operations (id) on delete cascade,
      n bigint not null,
      target ${text} not null,
      command ${text},
      part bigint not null,
      label ${text} not null,
      data ${text} not null,
      state ${text} not null,
      attempt ${text},
      receipt ${text},
      job ${text},
      note ${text},
      looks bigint not null,
      looked_at bigint,
      next_look_at bigint not null,
      started_at bigint,
      accepted_at bigint,
      ended_at bigint,
      seen_away bigint not null,
      comeback ${text},
      primary key (operation_id, n)
    )`,
    'create index steps_under_way on steps (started_at) where started_at is not null and ended_at is null',
    'create index steps_ended on steps (ended_at) where ended_at is not null',

    `create table votes (
      operation_id ${text} not null references operations (id) on delete cascade,
      user_id ${text} not null,
      vote ${text} not null,
      at bigint not null,
      is_void bigint not null,
      why ${text},
      primary key (operation_id, user_id)
    )`,

    `create table locks (
      target ${text} primary key,
      operation_id ${text} not null,
      owner ${text} not null,
      reason ${text} not null,
      since bigint not null
    )`,
    'create index locks_operation on locks (operation_id)',

    `create table freezes (
      id ${text} primary key,
      scope ${text} not null,
      reason ${text} not null,
      by_user ${text} not null,
      since bigint not null,
      until bigint,
      muted_in ${text},
      ended_at bigint
    )`,
    'create index freezes_active on freezes (since) where ended_at is null',

    `create table messages (
      seq ${serialKey},
      key ${text} not null unique,
      channel ${text} not null,
      parent_key ${text},
      thread_ts ${text},
      view ${text} not null,
      wanted bigint not null,
      delivered bigint not null,
      ts ${text},
      state ${text} not null,
      attempts bigint not null,
      not_before bigint not null,
      claimed_by ${text},
      claimed_until bigint not null,
      updated_at bigint not null,
      error ${text}
    )`,
    "create index messages_due on messages (seq) where state = 'due'",
    'create index messages_state on messages (state, updated_at)',

    `create table audit (
      seq bigint primary key,
      at bigint not null,
      kind ${text} not null,
      actor ${text},
      channel ${text},
      operation_id ${text},
      data ${text} not null,
      prev ${text} not null,
      hash ${text} not null
    )`,
    'create index audit_channel on audit (channel, seq)',
    'create index audit_channel_actor on audit (channel, actor, seq)',
    // Finds the changes in a channel without passing its reads.
    "create index audit_changes on audit (channel, seq) where kind not in ('answered', 'refreshed')",
    'create index audit_operation on audit (operation_id, seq)',
    // The head is stored apart from the chain, so that a removed tail is noticed.
    `create table audit_head (
      id bigint primary key,
      seq bigint not null,
      hash ${text} not null,
      signature ${text}
    )`,
    `insert into audit_head (id, seq, hash) values (1, 0, '${'0'.repeat(64)}')`,

    `create table secrets (
      id ${text} primary key,
      user_id ${text} not null,
      operation_id ${text},
      title ${text} not null,
      sealed ${text} not null,
      expires_at bigint not null
    )`,
    'create index secrets_expires on secrets (expires_at)',

    `create table forms (
      id ${text} primary key,
      user_id ${text} not null,
      data ${text} not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    'create index forms_expires on forms (expires_at)',

    `create table durations (
      id ${serialKey},
      kind ${text} not null,
      ms bigint not null
    )`,
    'create index durations_kind on durations (kind, id)',

    `create table stored_values (
      kind ${text} not null,
      key ${text} not null,
      value ${text} not null,
      at bigint not null,
      changed_at bigint,
      primary key (kind, key)
    )`,
    'create index stored_values_at on stored_values (kind, at)',
    'create index stored_values_changed on stored_values (kind, key) where changed_at is not null',

    `create table alerts (
      id ${text} primary key,
      channel ${text} not null,
      rule ${text} not null,
      group_key ${text},
      cause ${text} not null,
      state ${text} not null,
      severity ${text} not null,
      level bigint not null,
      peak bigint not null,
      finding ${text} not null,
      starts_at ${text},
      ends_at ${text},
      message ${text},
      told_at bigint,
      by_user ${text},
      until bigint,
      since_at bigint,
      handed_by ${text},
      calm_since bigint,
      resolved_at bigint,
      end_text ${text},
      flaps bigint not null,
      opened_at bigint not null,
      escalated_at bigint,
      reminded_at bigint,
      seen_at bigint not null,
      version bigint not null,
      drawn bigint not null
    )`,
    // A cause has at most one open alert in a channel.
    'create unique index alerts_cause on alerts (channel, rule, cause) where resolved_at is null',
    'create index alerts_last on alerts (channel, rule, cause, opened_at)',
    'create index alerts_open on alerts (channel, opened_at, id) where resolved_at is null',
    'create index alerts_message on alerts (message)',
    'create index alerts_told on alerts (channel, told_at)',
    'create index alerts_dirty on alerts (channel) where version > drawn',
    'create index alerts_resolved on alerts (resolved_at) where resolved_at is not null',

    `create table hooks (
      id ${text} primary key,
      kind ${text} not null,
      name ${text} not null,
      channel ${text} not null,
      token_hash ${text} not null,
      created_by ${text} not null,
      created_at bigint not null,
      expires_at bigint,
      may_write bigint not null,
      address ${text},
      purpose ${text},
      used_at bigint,
      revoked_at bigint
    )`,
    'create index hooks_channel on hooks (channel)',
    'create index hooks_kind on hooks (kind) where revoked_at is null',

    // The records of the newest version only: an older one follows by taking the changes after it back.
    `create table zone_heads (
      zone ${text} primary key,
      n bigint not null,
      is_gone bigint not null,
      hash ${text} not null,
      records ${text} not null
    )`,
    `create table zone_versions (
      zone ${text} not null,
      n bigint not null,
      at bigint not null,
      since bigint,
      is_gone bigint not null,
      operations ${text},
      by_user ${text},
      kept_by ${text},
      changes ${text},
      primary key (zone, n)
    )`,

    `create table leases (name ${text} primary key, owner ${text} not null, until bigint not null)`,
    `create table presence (id ${text} primary key, at bigint not null)`,
  ],
};
