import { type Context, textList } from '../dialect.ts';
import type { EntriesTable } from '../schema.ts';
import { createKeyedRead } from '../shared-reads.ts';

type NewEntry = Pick<EntriesTable, 'key' | 'value' | 'expiresAt'>;

export type Entries = ReturnType<typeof createEntries>;

/** Keys and text values in separate spaces. Expired entries are never returned. */
export function createEntries({ db, dialect, now }: Context) {
  const living = (space: string) =>
    db
      .selectFrom('entries')
      .where('space', '=', space)
      .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now())]));
  const readAll = async (space: string, keys: readonly string[]): Promise<Map<string, string>> => {
    if (keys.length === 0) return new Map();
    const rows = await living(space)
      .select(['key', 'value'])
      .where(dialect.isAmong('key', textList(keys)))
      .execute();
    return new Map(rows.map(({ key, value }) => [key, value]));
  };
  /** Reads at the same moment share a statement, since every decision reads a policy. */
  const readers = new Map<string, (key: string) => Promise<string | undefined>>();
  const readerOf = (space: string) => {
    const reader = readers.get(space) ?? createKeyedRead((keys) => readAll(space, keys));
    readers.set(space, reader);
    return reader;
  };

  return {
    get: readAll,

    getOne: (space: string, key: string): Promise<string | undefined> => readerOf(space)(key),

    async set(space: string, entries: readonly NewEntry[]): Promise<void> {
      // A statement cannot write a row twice; the later of two values for a key wins.
      const byKey = new Map(entries.map((entry) => [entry.key, entry]));
      const rows = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)).map((entry) => ({ space, ...entry }));
      if (rows.length === 0) return;
      await db
        .insertInto('entries')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['space', 'key']).doUpdateSet(({ ref }) => ({
            value: ref('excluded.value'),
            expiresAt: ref('excluded.expiresAt'),
          })),
        )
        .execute();
    },

    /**
     * Writes `next` only if the value is `expected` (undefined: no entry). True for one of all callers with the same
     * `expected`.
     */
    async compareAndSet(space: string, key: string, expected: string | undefined, next: string): Promise<boolean> {
      if (expected === undefined) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('entries')
          .values({ space, key, value: next, expiresAt: null })
          .onConflict((conflict) =>
            conflict
              .columns(['space', 'key'])
              .doUpdateSet(({ ref }) => ({ value: ref('excluded.value'), expiresAt: null }))
              .where('entries.expiresAt', '<=', now()),
          )
          .executeTakeFirstOrThrow();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const { numUpdatedRows } = await db
        .updateTable('entries')
        .set({ value: next, expiresAt: null })
        .where('space', '=', space)
        .where('key', '=', key)
        .where('value', '=', expected)
        .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now())]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Returns the number of deleted entries. */
    async delete(space: string, keys: readonly string[]): Promise<number> {
      if (keys.length === 0) return 0;
      const { numDeletedRows } = await db
        .deleteFrom('entries')
        .where('space', '=', space)
        .where('key', 'in', keys)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async clear(space: string, prefix: string): Promise<void> {
      await db
        .deleteFrom('entries')
        .where('space', '=', space)
        .where('key', '>=', prefix)
        .where('key', '<', endOf(prefix))
        .execute();
    },

    /** Lists entries in the order of their keys, after the given key. */
    list: (
      space: string,
      prefix: string,
      { after, limit }: { after?: string; limit: number },
    ): Promise<{ key: string; value: string }[]> =>
      living(space)
        .select(['key', 'value'])
        .where('key', after === undefined ? '>=' : '>', after ?? prefix)
        .where('key', '<', endOf(prefix))
        .orderBy('key')
        .limit(limit)
        .execute(),

    /** Deletes the entries that expired before this time, in every space. */
    async prune(before: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('entries')
        .where('expiresAt', '<', before)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/**
 * A text greater than every key with this prefix: keys are compared byte by byte, and U+10FFFF is the last character.
 */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
