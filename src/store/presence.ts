import type { Context } from './dialect.ts';
import { createSharedRead } from './shared-reads.ts';

const row = 'engine';

export type Presence = ReturnType<typeof createPresence>;

/** The last time at which a process looked after the requests: a gap means the bot was offline or was restored. */
export function createPresence({ db, now }: Context) {
  const lastAt = createSharedRead(async (): Promise<number | undefined> => {
    const found = await db.selectFrom('presence').select('at').where('id', '=', row).executeTakeFirst();
    return found?.at;
  });
  return {
    lastAt,

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
