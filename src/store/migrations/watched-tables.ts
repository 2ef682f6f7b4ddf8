/** Readings of the provider: the values that alert rules observe, and the versions of zones. */
export function watchedTables(text: string): readonly string[] {
  return [
    `create table observations (
      key ${text} primary key,
      usual ${text} not null,
      value ${text} not null,
      seen_at bigint not null,
      changed_at bigint
    )`,
    'create index observations_changed on observations (key) where changed_at is not null',
    'create index observations_seen on observations (seen_at)',

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
  ];
}
