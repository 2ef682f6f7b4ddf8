import { type Context, hasChanged } from '../dialect.ts';
import type { HooksTable } from '../schema.ts';

/** Addresses that monitoring may post to. Only the hash of the token is stored. */
export function createHooks({ db, now }: Context) {
  const valid = () => db.selectFrom('hooks').selectAll().where('revokedAt', 'is', null);
  return {
    add: (hook: Pick<HooksTable, 'id' | 'kind' | 'name' | 'channel' | 'tokenHash' | 'createdBy'>, on = db) =>
      hasChanged(on.insertInto('hooks').values({ ...hook, createdAt: now() })),

    /** Undefined for revoked hooks too. */
    find: (id: string): Promise<HooksTable | undefined> => valid().where('id', '=', id).executeTakeFirst(),

    list: (channel: string) => valid().where('channel', '=', channel).orderBy('createdAt').execute(),

    async used(id: string): Promise<void> {
      await db.updateTable('hooks').set({ usedAt: now() }).where('id', '=', id).execute();
    },

    /** False if the hook does not exist or is already revoked. */
    revoke: (id: string, by: string, on = db): Promise<boolean> =>
      on
        .updateTable('hooks')
        .set({ revokedBy: by, revokedAt: now() })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .$call(hasChanged),
  };
}
