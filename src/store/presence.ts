import type { Context } from './dialect.ts';

const row = 'engine';

export type Presence = ReturnType<typeof createPresence>;

/** When a process last had its hand on the requests: a gap says that nobody was there, or that an older state was restored. */
export function createPresence({ db, dialect, now }: Context) {
  return {
    async lastAt(): Promise<number | undefined> {
      const found = await db.selectFrom('presence').select('at').where('id', '=', row).executeTakeFirst();
      return found?.at;
    },

    async note(): Promise<void> {
      const at = now();
      // A power cut may lose the last one: five seconds of a quarter of an hour.
      await dialect.withoutDisk(db, (connection) =>
        connection
          .insertInto('presence')
          .values({ id: row, at })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
          .execute(),
      );
    },
  };
}
