import type { Context } from './dialect.ts';
import { createSharedRead } from './shared-reads.ts';

const row = 'engine';
/** A newer version that was not seen for so long is gone, as after a rollback, and this version takes its rows. */
const newerGoneMs = 10 * 60_000;

export type Presence = ReturnType<typeof createPresence>;

/** The last time at which a process looked after the requests: a gap means the bot was offline or was restored. */
export function createPresence({ db, now, clock, builds }: Context) {
  const lastAt = createSharedRead(async (): Promise<number | undefined> => {
    const found = await db.selectFrom('presence').select('at').where('id', '=', row).executeTakeFirst();
    return found?.at;
  });
  return {
    lastAt,

    /** Stores that this process runs, with its version; returns whether a newer version does. */
    async note(): Promise<void> {
      await db
        .insertInto('presence')
        .values([
          { id: row, at: now(), build: null },
          { id: `build ${builds.own}`, at: clock(), build: builds.own },
        ])
        .onConflict((conflict) => conflict.column('id').doUpdateSet(({ ref }) => ({ at: ref('excluded.at') })))
        .execute();
      const newer = await db
        .selectFrom('presence')
        .select('id')
        .where('build', '>', builds.own)
        .where('at', '>', clock(-newerGoneMs))
        .limit(1)
        .executeTakeFirst();
      builds.most = newer === undefined ? Number.MAX_SAFE_INTEGER : builds.own;
    },
  };
}
