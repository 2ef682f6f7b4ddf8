import type { Context } from '../dialect.ts';
import type { HooksTable } from '../schema.ts';

export type HookRow = HooksTable;

export type Hooks = ReturnType<typeof createHooks>;

/** Addresses that monitoring may post to. The token itself is kept nowhere, only its hash. */
export function createHooks({ db, now }: Context) {
  return {
    async add(hook: Pick<HookRow, 'id' | 'kind' | 'name' | 'channel' | 'tokenHash' | 'createdBy'>): Promise<void> {
      await db
        .insertInto('hooks')
        .values({ ...hook, createdAt: now(), usedAt: null, revokedBy: null, revokedAt: null })
        .execute();
    },

    /** Revoked ones are as good as gone. */
    find: (id: string): Promise<HookRow | undefined> =>
      db.selectFrom('hooks').selectAll().where('id', '=', id).where('revokedAt', 'is', null).executeTakeFirst(),

    list: (channel: string): Promise<HookRow[]> =>
      db
        .selectFrom('hooks')
        .selectAll()
        .where('channel', '=', channel)
        .where('revokedAt', 'is', null)
        .orderBy('createdAt')
        .execute(),

    async used(id: string): Promise<void> {
      await db.updateTable('hooks').set({ usedAt: now() }).where('id', '=', id).execute();
    },

    /** False when there is none, or it is revoked already. */
    async revoke(id: string, by: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('hooks')
        .set({ revokedBy: by, revokedAt: now() })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
