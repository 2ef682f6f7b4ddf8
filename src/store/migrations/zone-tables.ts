/**
 * The versions of zones. The records of the newest one only are stored: an older one follows by taking the changes
 * after it back.
 */
export function zoneTables(plainText: string): readonly string[] {
  return [
    `create table zone_heads (
      zone ${plainText} primary key,
      n bigint not null,
      is_gone bigint not null,
      hash text not null,
      records text not null
    )`,
    `create table zone_versions (
      zone ${plainText} not null,
      n bigint not null,
      at bigint not null,
      since bigint,
      is_gone bigint not null,
      operations text,
      by_user text,
      kept_by text,
      changes text,
      primary key (zone, n)
    )`,
  ];
}
