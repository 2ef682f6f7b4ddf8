import type { NewHook } from '../../core/command/alert-port.ts';
import { type Context, hasChanged } from '../dialect.ts';
import type { HooksTable } from '../schema.ts';

/** Addresses that monitoring may post to, tokens of machines, and addresses of events. Only hashes of secrets are stored. */
export function createHooks({ db, now }: Context) {
  const valid = () => db.selectFrom('hooks').selectAll().where('revokedAt', 'is', null);
  return {
    add: (hook: NewHook & Pick<HooksTable, 'createdBy' | 'id' | 'tokenHash'>, on = db) =>
      hasChanged(on.insertInto('hooks').values({ mayWrite: 0, ...hook, createdAt: now() })),

    /** Undefined for revoked hooks too. */
    find: (id: string): Promise<HooksTable | undefined> => valid().where('id', '=', id).executeTakeFirst(),

    list: (channel: string, kinds: readonly HooksTable['kind'][]) =>
      valid().where('channel', '=', channel).where('kind', 'in', kinds).orderBy('createdAt').execute(),

    has: async (kind: HooksTable['kind']): Promise<boolean> =>
      (await valid().where('kind', '=', kind).limit(1).executeTakeFirst()) !== undefined,

    /** Of all channels. */
    listAll: (kind: HooksTable['kind']) => valid().where('kind', '=', kind).orderBy('createdAt').execute(),

    async used(id: string): Promise<void> {
      await db.updateTable('hooks').set({ usedAt: now() }).where('id', '=', id).execute();
    },

    /** False if the hook does not exist or is already revoked. */
    revoke: (id: string, on = db): Promise<boolean> =>
      on
        .updateTable('hooks')
        .set({ revokedAt: now() })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .$call(hasChanged),
  };
}
