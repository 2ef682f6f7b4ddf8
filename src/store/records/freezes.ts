import type { Context } from '../dialect.ts';
import type { FreezesTable } from '../schema.ts';
import { createSharedRead } from '../shared-reads.ts';

type FreezeRow = FreezesTable;

interface NewFreeze {
  id: string;
  /** `all`, `channel:C1`, `tag:web` … */
  scope: string;
  reason: string;
  byUser: string;
  /** Undefined: the freeze lasts until someone ends it. */
  until?: number;
}

export function createFreezes({ db, now }: Context) {
  const notEnded = createSharedRead(() =>
    db.selectFrom('freezes').selectAll().where('endedAt', 'is', null).orderBy('since').execute(),
  );
  return {
    async add({ until, ...freeze }: NewFreeze, on = db): Promise<true> {
      await on
        .insertInto('freezes')
        .values({ ...freeze, since: now(), until: until ?? null, endedAt: null })
        .execute();
      return true;
    },

    /** False if the freeze had already ended. */
    async end(id: string, on = db): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('freezes')
        .set({ endedAt: now() })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    active: async (at: number): Promise<FreezeRow[]> =>
      (await notEnded()).filter(({ until }) => until === null || until > at),
  };
}
