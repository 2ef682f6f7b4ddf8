import { createForwardClock } from '../core/async/forward-clock.ts';
import { createSharedRuns } from '../core/async/shared-runs.ts';
import type { Context } from './dialect.ts';

const row = 'engine';
/** The last time at which a process was running: a gap means that the bot was offline or restored from a backup. */
export function createPresence({ db, now }: Context) {
  const readLast = createSharedRuns(async (id) =>
    db.selectFrom('presence').select('at').where('id', '=', id).executeTakeFirst(),
  );
  const lastAt = async () => (await readLast(row))?.at;
  const elapsed = createForwardClock(now);
  let own: { readonly at: number; readonly since: number } | undefined;

  return {
    lastAt,

    /** Ms since the last note. If this process wrote that note, a wall clock that was set back does not shorten it. */
    async absentMs(): Promise<number | undefined> {
      const at = await lastAt();
      if (at === undefined) return undefined;
      return Math.max(now() - at, own?.at === at ? elapsed() - own.since : 0);
    },

    async note(): Promise<void> {
      const noted = { at: now(), since: elapsed() };
      await db
        .insertInto('presence')
        .values({ id: row, at: noted.at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(({ ref }) => ({ at: ref('excluded.at') })))
        .execute();
      own = noted;
    },
  };
}
