import { canonicalJson, type Json } from '../core/text/json.ts';
import { type Context, hasChanged, operationAt } from './dialect.ts';

/** Values of this kind name the request whose glass is open in a channel, so that there is one at most. */
export const glassKind = 'glass';

export function createGlass({ db, clock, now }: Context) {
  /** Writes the glass only if the stored one is still `from`. */
  const replace = (id: string, from: Json | null, glass: Json, on: Context['db']) =>
    operationAt(id, on)
      .set({ glass: canonicalJson(glass), updatedAt: now() })
      .where('glass', from === null ? 'is' : '=', from === null ? null : canonicalJson(from));
  /** The request whose glass is open in the channel. */
  const openIn = async (channel: string, on = db): Promise<string | undefined> => {
    const values = on.selectFrom('storedValues').select('value');
    return (await values.where(({ and }) => and({ kind: glassKind, key: channel })).executeTakeFirst())?.value;
  };
  const forget = (id: string, on: Context['db']) =>
    on
      .deleteFrom('storedValues')
      .where(({ and }) => and({ kind: glassKind, value: id }))
      .execute();

  return {
    /**
     * Lets a waiting request run without its approvals, and makes its turn due. `barred`: the glass of another request
     * is open in the channel. `changed`: the request no longer waits, or another person was first.
     */
    break: (
      { id, channel, from }: { readonly id: string; readonly channel: string; readonly from: Json | null },
      glass: Json,
    ): Promise<{ readonly how: 'broken' | 'changed' } | { readonly how: 'barred'; readonly by: string }> =>
      db.transaction().execute(async (transaction) => {
        const isOwn = await transaction
          .insertInto('storedValues')
          .values({ kind: glassKind, key: channel, value: id, at: now() })
          .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
          .$call(hasChanged);
        const by = await openIn(channel, transaction);
        if (by === undefined) return { how: 'changed' };
        if (by !== id) return { how: 'barred', by };
        const isBroken = await replace(id, from, glass, transaction)
          .set({ nextTurnAt: clock() })
          .where('state', '=', 'waiting')
          .$call(hasChanged);
        if (!isBroken && isOwn) await forget(id, transaction);
        return { how: isBroken ? 'broken' : 'changed' };
      }),

    /** Writes that the broken glass no longer counts. */
    note: (id: string, from: Json, glass: Json, on = db) => replace(id, from, glass, on).$call(hasChanged),

    /** Closes it, makes a turn due, and lets the channel break another. False if another process has closed it. */
    close: (id: string, from: Json, glass: Json): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const isClosed = await replace(id, from, glass, transaction).set({ nextTurnAt: clock() }).$call(hasChanged);
        if (isClosed) await forget(id, transaction);
        return isClosed;
      }),

    openIn,
  };
}
