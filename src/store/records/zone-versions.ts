import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { slicesOf } from '../../core/async/in-slices.ts';
import { linesBefore, type ZoneDifference } from '../../core/dns/zone-version.ts';
import { type Context, hasChanged, rowsAs } from '../dialect.ts';
import type { ZoneVersionsTable } from '../schema.ts';

type NewVersion = Omit<ReturnType<typeof versionOf>, 'zone' | 'n' | 'keptBy'>;

export interface FirstVersion {
  readonly zone: string;
  readonly version: NewVersion;
  readonly lines: readonly string[];
  readonly hash: string;
}

/** Large zones make long statements. */
const firstsAtOnce = 25;

/**
 * The versions of every zone: the records of the newest one, and the difference of each version to the one before it.
 * Reverting differences yields the older versions, so removing the oldest ones rewrites nothing.
 */
export function createZoneVersions({ db }: Context) {
  const newestFirst = (zone: string) =>
    db.selectFrom('zoneVersions').selectAll().where('zone', '=', zone).orderBy('n', 'desc');
  return {
    listHeads: () => db.selectFrom('zoneHeads').select(['zone', 'n', 'isGone', 'hash']).execute(),

    isAnyKept: async () => (await db.selectFrom('zoneHeads').select('n').limit(1).executeTakeFirst()) !== undefined,

    async findHead(zone: string) {
      const row = await db
        .selectFrom('zoneHeads')
        .innerJoin('zoneVersions', (join) =>
          join.onRef('zoneVersions.zone', '=', 'zoneHeads.zone').onRef('zoneVersions.n', '=', 'zoneHeads.n'),
        )
        .selectAll('zoneHeads')
        .select('zoneVersions.at')
        .where('zoneHeads.zone', '=', zone)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { records, ...head } = row;
      return { ...head, lines: unpack(records) };
    },

    /** Stores a version if `after` is still the newest: of two replicas that read the same change, one stores it. */
    async add(
      { zone, after }: { readonly zone: string; readonly after: number },
      version: NewVersion,
      { lines, hash }: { readonly lines: readonly string[]; readonly hash: string },
    ): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const n = after + 1;
        const isNewest = await transaction
          .updateTable('zoneHeads')
          .set({ n, isGone: version.isGone, hash, records: pack(lines) })
          .where(({ and }) => and({ zone, n: after }))
          .$call(hasChanged);
        if (!isNewest) return false;
        return hasChanged(transaction.insertInto('zoneVersions').values(rowOf(zone, n, version)));
      });
    },

    /** Stores the first version of zones that were never read; returns those that no other replica stored before. */
    async addFirst(firsts: readonly FirstVersion[]): Promise<ReadonlySet<string>> {
      const stored = new Set<string>();
      for (const some of slicesOf(firsts, firstsAtOnce)) {
        await db.transaction().execute(async (transaction) => {
          const heads = some
            .map(({ zone, lines, hash }) => ({ zone, n: 1, isGone: 0, hash, records: pack(lines) }))
            .sort((a, b) => (a.zone < b.zone ? -1 : 1));
          const written = await transaction
            .insertInto('zoneHeads')
            .values(heads)
            .onConflict((conflict) => conflict.doNothing())
            .returning('zone')
            .execute();
          const isWritten = new Set(written.map(({ zone }) => zone));
          const rows = some.flatMap(({ zone, version }) => (isWritten.has(zone) ? [rowOf(zone, 1, version)] : []));
          if (rows.length > 0) await transaction.insertInto('zoneVersions').values(rows).execute();
          for (const zone of isWritten) stored.add(zone);
        });
      }
      return stored;
    },

    list: (zone: string) => newestFirst(zone).$call(rowsAs(versionOf)),

    /** The records of a version; undefined if it is not kept. */
    async findLines(zone: string, n: number): Promise<readonly string[] | undefined> {
      // One statement each: a version that is added between them has a difference that is then reverted as well.
      const newest = await this.findHead(zone);
      if (newest === undefined || n > newest.n) return undefined;
      const rows = await newestFirst(zone).where('n', '>=', n).where('n', '<=', newest.n).execute();
      if (rows.at(-1)?.n !== n) return undefined;
      let lines: readonly string[] = newest.lines;
      for (const { changes } of rows.slice(0, -1).map(versionOf))
        if (changes !== null) lines = linesBefore(lines, changes);
      return lines;
    },

    /** A person says that the versions written by hand up to this time are meant to be so. */
    accept: (zone: string, until: number, by: string): Promise<unknown> =>
      db
        .updateTable('zoneVersions')
        .set({ keptBy: by })
        .where('zone', '=', zone)
        .where('at', '<=', until)
        .where('since', 'is not', null)
        .where('keptBy', 'is', null)
        .execute(),
  };
}

function rowOf(zone: string, n: number, { operations, changes, ...version }: NewVersion): ZoneVersionsTable {
  return {
    zone,
    n,
    ...version,
    keptBy: null,
    operations: operations.length === 0 ? null : operations.join(' '),
    changes: changes === null ? null : packChanges(changes),
  };
}

function versionOf({ operations, changes, ...row }: ZoneVersionsTable) {
  const ids: readonly string[] = operations?.split(' ') ?? [];
  return {
    ...row,
    operations: ids,
    /** The difference to the version before; null for the first one. */
    changes: changes === null ? null : unpackChanges(changes),
  };
}

/** Lines of `-` and `+`; long ones are compressed, short ones would only grow. */
function packChanges({ removed, added }: ZoneDifference): string {
  const text = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join('\n');
  return text.length < 300 ? text : `z${pack([text])}`;
}

function unpackChanges(packed: string): ZoneDifference {
  const lines = packed.startsWith('z') ? unpack(packed.slice(1)) : packed.split('\n');
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return { removed: of('-'), added: of('+') };
}

/** A line is JSON and has no line break. */
function pack(lines: readonly string[]): string {
  return deflateRawSync(lines.join('\n')).toString('base64');
}

function unpack(packed: string): string[] {
  const text = inflateRawSync(Buffer.from(packed, 'base64')).toString();
  return text === '' ? [] : text.split('\n');
}
