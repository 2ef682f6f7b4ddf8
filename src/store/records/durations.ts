import type { Context } from '../dialect.ts';

const keptPerKind = 50;

export type Durations = ReturnType<typeof createDurations>;

/** How long a kind of job took the last times, so that a person can be told what to expect. */
export function createDurations({ db, now }: Context) {
  return {
    async add(kind: string, ms: number): Promise<void> {
      await db
        .insertInto('durations')
        .values({ kind, ms: Math.round(ms), at: now() })
        .execute();
      await db
        .deleteFrom('durations')
        .where('kind', '=', kind)
        .where('id', '<=', ({ selectFrom }) =>
          selectFrom('durations as kept')
            .select('kept.id')
            .where('kept.kind', '=', kind)
            .orderBy('kept.id', 'desc')
            .limit(1)
            .offset(keptPerKind),
        )
        .execute();
    },

    /** Newest first. */
    async recent(kind: string, n: number): Promise<number[]> {
      const rows = await db
        .selectFrom('durations')
        .select('ms')
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(n)
        .execute();
      return rows.map(({ ms }) => ms);
    },
  };
}
