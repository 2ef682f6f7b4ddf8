import { type Context, hasChanged } from '../dialect.ts';
import type { FreezesTable } from '../schema.ts';
import { createSharedRead } from '../shared-reads.ts';

type NewFreeze = Pick<FreezesTable, 'id' | 'scope' | 'reason' | 'byUser'> & Partial<Pick<FreezesTable, 'until'>>;

export function createFreezes({ db, now }: Context) {
  const notEnded = createSharedRead(() =>
    db.selectFrom('freezes').selectAll().where('endedAt', 'is', null).orderBy('since').execute(),
  );
  return {
    add: (freeze: NewFreeze, on = db): Promise<boolean> =>
      on
        .insertInto('freezes')
        .values({ until: null, ...freeze, since: now(), endedAt: null })
        .$call(hasChanged),

    /** False if the freeze had already ended. */
    end: (id: string, on = db): Promise<boolean> =>
      on
        .updateTable('freezes')
        .set({ endedAt: now() })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .$call(hasChanged),

    active: async (at: number): Promise<FreezesTable[]> =>
      (await notEnded()).filter(({ until }) => until === null || until > at),
  };
}
