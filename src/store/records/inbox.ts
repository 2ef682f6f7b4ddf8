import { createBatcher } from '../batcher.ts';
import { textList } from '../columns.ts';
import type { Context } from '../dialect.ts';
import type { InboxTable } from '../schema.ts';
import { deleteInParts } from './delete-in-parts.ts';

export type InboxRow = InboxTable;

export interface InboxDelivery {
  /** The same for all deliveries of one payload. */
  key: string;
  kind: string;
  /** JSON text; empty when nothing is left to do with it. */
  body: string;
  /** `done` when nothing is left to do but to remember the key. */
  state?: 'new' | 'done';
  /** The process that received it works on it, and no sweep takes it first. */
  claim?: { owner: string; forMs: number };
}

export type Inbox = ReturnType<typeof createInbox>;

/** Keys of payloads, so that each is taken once, and requests that were acknowledged and are not finished. */
export function createInbox({ db, dialect, now, clock }: Context) {
  const receiving = createBatcher(
    async (deliveries: InboxDelivery[]): Promise<boolean[]> => {
      const at = now();
      const firsts = new Map<string, InboxDelivery>();
      for (const delivery of deliveries) {
        if (!firsts.has(delivery.key)) firsts.set(delivery.key, delivery);
      }
      // Sorted, so that two replicas that were sent the same keys wait for each other in one order only.
      const rows = [...firsts.values()]
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ key, kind, body, state, claim }) => ({
          key,
          kind,
          body,
          receivedAt: at,
          state: state ?? ('new' as const),
          claimedBy: claim?.owner ?? null,
          claimedUntil: claim === undefined ? 0 : clock(claim.forMs),
          begun: 1,
        }));
      const inserted = await db
        .insertInto('inbox')
        .values(rows)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .execute();
      const isNew = new Set(inserted.map(({ key }) => key));
      return deliveries.map((delivery) => isNew.has(delivery.key) && firsts.get(delivery.key) === delivery);
    },
    { maxItems: 200, restMs: 5 },
  );
  const finishing = createBatcher(
    async (keys: string[]) => {
      await db
        .updateTable('inbox')
        // Only the key is still needed, to recognize a repeated delivery.
        .set({ state: 'done', body: '' })
        .where(dialect.isAmong('key', textList(keys)))
        .execute();
      return keys.map(() => undefined);
    },
    { maxItems: 200, restMs: 5 },
  );

  return {
    /** True the first time a key is seen, once it is stored. Receives that arrive together share a commit. */
    receive: (delivery: InboxDelivery): Promise<boolean> => receiving.add(delivery),

    /** False when somebody else works on it, or it is done. */
    async claim(key: string, owner: string, forMs: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('inbox')
        .set({ claimedBy: owner, claimedUntil: clock(forMs) })
        .where('key', '=', key)
        .where('state', '=', 'new')
        .where(({ or, eb }) => or([eb('claimedUntil', '<=', clock()), eb('claimedBy', '=', owner)]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Claims a request whose process ended. */
    async claimAgain(key: string, owner: string, forMs: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('inbox')
        .set(({ eb }) => ({ claimedBy: owner, claimedUntil: clock(forMs), begun: eb('begun', '+', 1) }))
        .where('key', '=', key)
        .where('state', '=', 'new')
        .where('claimedUntil', '<=', clock())
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Keys of those among these requests that are stored, claimed by this process and not finished. */
    async heldBy(owner: string, keys: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('inbox')
        .select('key')
        .where(dialect.isAmong('key', textList([...keys])))
        .where('state', '=', 'new')
        .where('claimedBy', '=', owner)
        .execute();
      return rows.map(({ key }) => key);
    },

    /** Acknowledged requests that no process works on, now or in so many ms, oldest first. */
    unfinished: (limit: number, laterMs = 0): Promise<InboxRow[]> =>
      db
        .selectFrom('inbox')
        .selectAll()
        .where('state', '=', 'new')
        .where('claimedUntil', '<=', clock(laterMs))
        .orderBy('receivedAt')
        .limit(limit)
        .execute(),

    finish: (key: string): Promise<void> => finishing.add(key),

    prune: (before: number, atOnce?: number): Promise<number> =>
      deleteInParts(
        (limit) =>
          db
            .deleteFrom('inbox')
            .where('key', 'in', (eb) =>
              eb
                .selectFrom('inbox as old')
                .select('old.key')
                .where('old.state', '=', 'done')
                .where('old.receivedAt', '<', before)
                .limit(limit),
            )
            .executeTakeFirstOrThrow(),
        atOnce,
      ),

    drain: async () => {
      await Promise.all([receiving.drain(), finishing.drain()]);
    },
  };
}
