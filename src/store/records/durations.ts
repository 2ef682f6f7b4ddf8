import { createSharedRuns } from '../../core/async/shared-runs.ts';
import type { Context } from '../dialect.ts';

const keptPerKind = 50;

/** The recent durations of each kind of job, for the estimates that people see. */
export function createDurations({ db }: Context) {
  return {
    /** Newest first. */
    recent: createSharedRuns(async (kind): Promise<readonly number[]> => {
      const durations = db.selectFrom('durations').select('ms').where('kind', '=', kind);
      const rows = await durations.orderBy('id', 'desc').limit(keptPerKind).execute();
      return rows.map(({ ms }) => ms);
    }),

    async add(kind: string, ms: number): Promise<void> {
      await db
        .insertInto('durations')
        .values({ kind, ms: Math.round(ms) })
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
  };
}
