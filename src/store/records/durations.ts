import type { Context } from '../dialect.ts';
import { createKeyedRead } from '../shared-reads.ts';

const keptPerKind = 50;

/** The recent durations of each kind of job, for the estimates that people see. */
export function createDurations({ db, now }: Context) {
  const recent = createKeyedRead(async (kinds) => {
    const all = kinds.map(async (kind) => {
      const rows = await db
        .selectFrom('durations')
        .select('ms')
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(keptPerKind)
        .execute();
      return [kind, rows.map(({ ms }) => ms)] as const;
    });
    return new Map(await Promise.all(all));
  });

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
    recent: async (kind: string, n: number): Promise<readonly number[]> => ((await recent(kind)) ?? []).slice(0, n),
  };
}
