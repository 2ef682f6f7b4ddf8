import { type RawBuilder, sql } from 'kysely';
import { day } from '../core/text/words.ts';
import type { Context } from './dialect.ts';
import { glassKind } from './glass.ts';
import { openList } from './open-states.ts';
import { keptPerKind } from './records/durations.ts';
import { prunedKinds } from './records/value-kinds.ts';
import type { Schema } from './schema.ts';

/** Deletes the rows of a table some days after their end. */
interface Old {
  readonly days: number;
  /** The columns of the primary key. */
  readonly key: string;
  /** The condition for rows that ended before this time. */
  readonly isOver: (before: number) => RawBuilder<unknown>;
}

const openAlerts = sql`select 'alert:' || message from alerts where resolved_at is null and message is not null`;
const openCards = sql`select 'card:' || id from operations where state in (${sql.join(openList)})`;
const glassCards = sql`select 'card:' || value from stored_values where kind = ${glassKind}`;

/** How long the rows of each table are kept. docs/security.md says the same. */
export const retention = {
  inbox: { days: 3, key: 'key', isOver: (before) => sql`state = 'done' and received_at < ${before}` },
  // The messages of open alerts, open requests and broken glass stay, however old they are.
  messages: {
    days: 30,
    key: 'key',
    isOver: (before) => sql`state in ('delivered', 'dead') and updated_at < ${before}
      and key not in (${openAlerts}) and key not in (${openCards}) and key not in (${glassCards})`,
  },
  alerts: { days: 30, key: 'id', isOver: (before) => sql`resolved_at < ${before}` },
  freezes: { days: 90, key: 'id', isOver: (before) => sql`ended_at < ${before} or until < ${before}` },
  // The others of `value-kinds.ts` stay until they are removed.
  storedValues: {
    days: 30,
    key: 'kind, key',
    isOver: (before) => sql`kind in (${sql.join(prunedKinds.monthly)}) and at < ${before}
      or kind in (${sql.join(prunedKinds.yearly)}) and at < ${before - 365 * day}`,
  },
  // The documentation promises a year. First the domains that were removed, then their versions and those that were
  // replaced, the oldest first: the one that was in effect at that time is kept.
  zoneHeads: {
    days: 395,
    key: 'zone, n',
    isOver: (before) => sql`is_gone = 1 and exists (
      select 1 from zone_versions as own where own.zone = zone_heads.zone and own.n = zone_heads.n and own.at < ${before})`,
  },
  zoneVersions: {
    days: 395,
    key: 'zone, n',
    isOver: (before) => sql`zone not in (select zone from zone_heads) or exists (
      select 1 from zone_versions as next
      where next.zone = zone_versions.zone and next.n = zone_versions.n + 1 and next.at < ${before})
      order by zone, n`,
  },
  forms: { days: 0, key: 'id', isOver: (before) => sql`expires_at <= ${before}` },
  // The set of names is open. A day, since the clock of the database decides the end.
  leases: { days: 1, key: 'name', isOver: (before) => sql`until <= ${before}` },
  // The last fifty of each kind stay, so the table is short.
  durations: {
    days: 0,
    key: 'id',
    isOver: () => sql`id <= (
      select newest.id from durations as newest where newest.kind = durations.kind
      order by newest.id desc limit 1 offset ${keptPerKind})`,
  },
  locks: 'until the request ends',
  secrets: 'until it is shown, or for ten minutes',
  operations: 'always',
  steps: 'always',
  votes: 'always',
  audit: 'always',
  auditHead: 'always',
  hooks: 'always',
  presence: 'always',
  schemaVersion: 'always',
} as const satisfies Readonly<Record<keyof Schema, Old | string>>;

type Pruned = { [Table in keyof Schema]: (typeof retention)[Table] extends Old ? Table : never }[keyof Schema];
// Object.keys does not show that these are the keys of the table above.
const tables = Object.keys(retention) as readonly (keyof Schema)[];
const pruned = tables.filter((table): table is Pruned => typeof retention[table] !== 'string');

export function createRetention({ db, now }: Context) {
  /** Deletes the rows of this table that ended before this time, a few per statement, to block no writer for long. */
  async function prune(table: Pruned, before: number, atOnce = 500): Promise<number> {
    const { key, isOver } = retention[table];
    const columns = sql.raw(key);
    for (let deleted = 0; ; ) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${isOver(before)} limit ${atOnce})`.execute(db);
      const some = Number(numAffectedRows ?? 0n);
      deleted += some;
      if (some < atOnce) return deleted;
    }
  }
  return {
    prune,
    async pruneAll(): Promise<void> {
      for (const table of pruned) await prune(table, now() - retention[table].days * day);
    },
  };
}
