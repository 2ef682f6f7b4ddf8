import { type Context, hasChanged } from '../dialect.ts';
import type { FreezesTable } from '../schema.ts';
import { createRecentReads } from '../shared-reads.ts';

type NewFreeze = Pick<FreezesTable, 'id' | 'scope' | 'reason' | 'byUser'> &
  Partial<Pick<FreezesTable, 'until' | 'mutedIn'>>;

export function createFreezes({ db, now }: Context) {
  const recent = createRecentReads<FreezesTable[]>(now);
  const notEnded = () =>
    recent.get('', () => db.selectFrom('freezes').selectAll().where('endedAt', 'is', null).orderBy('since').execute());
  const written = (write: Promise<boolean>) => write.finally(recent.clear);
  const change = (id: string, patch: Partial<Pick<FreezesTable, 'endedAt' | 'until'>>, on: typeof db) =>
    written(hasChanged(on.updateTable('freezes').set(patch).where('id', '=', id).where('endedAt', 'is', null)));
  return {
    add: (freeze: NewFreeze, on = db): Promise<boolean> =>
      written(hasChanged(on.insertInto('freezes').values({ ...freeze, since: now() }))),

    /** False if the freeze had already ended. */
    end: (id: string, on = db): Promise<boolean> => change(id, { endedAt: now() }, on),

    /** Ends a mute before its time; a sweep ends it for good. */
    expire: (id: string, on = db): Promise<boolean> => change(id, { until: now() }, on),

    active: async (at: number): Promise<FreezesTable[]> =>
      (await notEnded()).filter(({ mutedIn, until }) => mutedIn === null && (until === null || until > at)),

    /** The mutes of all channels, with those that are over and whose channel does not know it yet. */
    mutes: async (): Promise<FreezesTable[]> => (await notEnded()).filter(({ mutedIn }) => mutedIn !== null),
  };
}
