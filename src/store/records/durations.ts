import { createSharedRuns } from '../../core/async/shared-runs.ts';
import type { Context } from '../dialect.ts';

export const keptPerKind = 50;

/** The recent durations of each kind of job, for the estimates that people see. `retention.ts` deletes the older ones. */
export function createDurations({ db }: Context) {
  return {
    /** Newest first. */
    recent: createSharedRuns(async (kind): Promise<readonly number[]> => {
      const durations = db.selectFrom('durations').select('ms').where('kind', '=', kind);
      const rows = await durations.orderBy('id', 'desc').limit(keptPerKind).execute();
      return rows.map(({ ms }) => ms);
    }),

    async add(kind: string, ms: number): Promise<void> {
      const duration = { kind, ms: Math.round(ms) };
      await db.insertInto('durations').values(duration).execute();
    },
  };
}
