/** Readings of the provider: the versions of zones. */
export function watchedTables(text: string): readonly string[] {
  return [
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
