import { canonicalJson, type Json } from '../core/text/json.ts';
import type { Context } from './dialect.ts';

/** Values of this kind name the request whose glass is open in a channel, so that there is one at most. */
export const glassKind = 'glass';
const kind = glassKind;

export function createGlass({ db, clock, now }: Context) {
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
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('storedValues')
          .values({ kind, key: channel, value: id, at: now(), changedAt: null })
          .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
          .executeTakeFirstOrThrow();
        const isOwn = (numInsertedOrUpdatedRows ?? 0n) > 0n;
        const open = await transaction
          .selectFrom('storedValues')
          .select('value')
          .where('kind', '=', kind)
          .where('key', '=', channel)
          .executeTakeFirst();
        if (open === undefined) return { how: 'changed' };
        if (open.value !== id) return { how: 'barred', by: open.value };
        const { numUpdatedRows } = await transaction
          .updateTable('operations')
          .set({ glass: canonicalJson(glass), updatedAt: now(), nextTurnAt: clock() })
          .where('id', '=', id)
          .where('state', '=', 'waiting')
          .where('glass', from === null ? 'is' : '=', from === null ? null : canonicalJson(from))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) return { how: 'broken' };
        if (isOwn)
          await transaction.deleteFrom('storedValues').where('kind', '=', kind).where('key', '=', channel).execute();
        return { how: 'changed' };
      }),

    /** Writes that the broken glass no longer counts. */
    async note(id: string, from: Json, glass: Json, on = db): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('operations')
        .set({ glass: canonicalJson(glass), updatedAt: now() })
        .where('id', '=', id)
        .where('glass', '=', canonicalJson(from))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Closes it, makes a turn due, and lets the channel break another. False if another process has closed it. */
    close: (id: string, from: Json, glass: Json): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('operations')
          .set({ glass: canonicalJson(glass), updatedAt: now(), nextTurnAt: clock() })
          .where('id', '=', id)
          .where('glass', '=', canonicalJson(from))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await transaction.deleteFrom('storedValues').where('kind', '=', kind).where('value', '=', id).execute();
        return true;
      }),

    /** The request whose glass is open in the channel. */
    async openIn(channel: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('storedValues')
        .select('value')
        .where('kind', '=', kind)
        .where('key', '=', channel)
        .executeTakeFirst();
      return row?.value;
    },
  };
}
