import type { Migration } from './migration.ts';

export const alerts: Migration = {
  version: 2,
  name: 'alerts',
  statements: ({ plainText }) => [
    `create table alerts (
      id ${plainText} primary key,
      channel text not null,
      rule text not null,
      group_key text,
      cause text not null,
      state text not null,
      severity text not null,
      level bigint not null,
      peak bigint not null,
      finding text not null,
      starts_at text,
      message text,
      told_at bigint,
      by_user text,
      until bigint,
      calm_since bigint,
      resolved_at bigint,
      end_text text,
      flaps bigint not null,
      opened_at bigint not null,
      escalated_at bigint,
      reminded_at bigint,
      seen_at bigint not null,
      version bigint not null,
      drawn bigint not null
    )`,
    // One cause is one alert for as long as it lasts, whoever finds it first.
    'create unique index alerts_cause on alerts (channel, rule, cause) where resolved_at is null',
    'create index alerts_last on alerts (channel, rule, cause, opened_at)',
    'create index alerts_open on alerts (channel, opened_at, id) where resolved_at is null',
    'create index alerts_message on alerts (message)',
    'create index alerts_told on alerts (channel, told_at)',
    'create index alerts_dirty on alerts (channel) where version > drawn',
    'create index alerts_resolved on alerts (resolved_at) where resolved_at is not null',

    `create table observations (
      key ${plainText} primary key,
      usual text not null,
      value text not null,
      seen_at bigint not null,
      changed_at bigint
    )`,
    'create index observations_changed on observations (key) where changed_at is not null',
    'create index observations_seen on observations (seen_at)',

    `create table hooks (
      id ${plainText} primary key,
      kind text not null,
      name text not null,
      channel text not null,
      token_hash text not null,
      created_by text not null,
      created_at bigint not null,
      used_at bigint,
      revoked_by text,
      revoked_at bigint
    )`,
    'create index hooks_channel on hooks (channel)',
    // Steps of our own operations that started or ended lately.
    'create index steps_started on steps (started_at) where started_at is not null',
    'create index steps_ended on steps (ended_at) where ended_at is not null',
  ],
};
