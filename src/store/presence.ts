import type { Context } from './dialect.ts';

const row = 'engine';

export type Presence = ReturnType<typeof createPresence>;

/** When a process last had its hand on the requests: a gap says that nobody was there, or that an older state was restored. */
export function createPresence({ db, now }: Context) {
  return {
    async lastAt(): Promise<number | undefined> {
      const found = await db.selectFrom('presence').select('at').where('id', '=', row).executeTakeFirst();
      return found?.at;
    },

    async note(): Promise<void> {
      const at = now();
      await db
        .insertInto('presence')
        .values({ id: row, at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
        .execute();
    },
  };
}
