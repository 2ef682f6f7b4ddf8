import { createBatcher } from '../batcher.ts';
import { type Context, hasChanged, textList } from '../dialect.ts';
import { isCurrent } from '../migrate.ts';
import type { InboxTable } from '../schema.ts';

export interface InboxDelivery {
  /** The same for all deliveries of one payload. */
  key: string;
  /** JSON text; empty when the payload is done. */
  body: string;
  /** `done` if the payload needs no work: only its key is stored. */
  state?: 'new' | 'done';
  /** The claim of the process that received the payload, so that no sweep runs it first. */
  claim?: { owner: string; forMs: number };
}

/** The keys of received payloads, so that each runs once, and the acknowledged requests that are not finished. */
export function createInbox({ db, dialect, now, clock }: Context) {
  const receiving = createBatcher({ restMs: 5 }, async (deliveries: InboxDelivery[]): Promise<boolean[]> => {
    const at = now();
    // The first of each key.
    const firsts = new Map(deliveries.toReversed().map((delivery) => [delivery.key, delivery]));
    // Sorted, so that two replicas that receive the same keys lock them in the same order.
    const rows = [...firsts.values()]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ claim, ...row }) => ({
        state: 'new' as const,
        ...row,
        receivedAt: at,
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
  });
  const finishing = createBatcher({ restMs: 5 }, async (keys: string[]) => {
    await db
      .updateTable('inbox')
      // Only the key is still needed: it identifies repeated deliveries.
      .set({ state: 'done', body: '' })
      .where(dialect.isAmong('key', textList(keys)))
      .execute();
    return keys.map(() => undefined);
  });

  return {
    /** Stores the delivery; true if its key is new. Deliveries that arrive together share a commit. */
    receive: (delivery: InboxDelivery): Promise<boolean> => receiving.add(delivery),

    /** Claims a request again, after its process ended. */
    claimAgain: (key: string, owner: string, forMs: number): Promise<boolean> =>
      db
        .updateTable('inbox')
        .set(({ eb }) => ({ claimedBy: owner, claimedUntil: clock(forMs), begun: eb('begun', '+', 1) }))
        .where(({ and }) => and({ key, state: 'new' }))
        .where('claimedUntil', '<=', clock())
        .$call(hasChanged),

    /** Renews the claims of this process; returns the keys that are neither finished nor claimed by another. */
    async keep(keys: readonly string[], owner: string, forMs: number): Promise<string[]> {
      const rows = await db
        // Rows that are being finished are left out: in any other order the two would wait for each other.
        .with('mine', (reads) =>
          reads
            .selectFrom('inbox')
            .select('key')
            .where(dialect.isAmong('key', textList([...keys])))
            .where(({ and }) => and({ state: 'new', claimedBy: owner }))
            .$if(dialect.hasRowLocks, (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('inbox')
        .set({ claimedUntil: clock(forMs) })
        .where('key', 'in', ({ selectFrom }) => selectFrom('mine').select('mine.key'))
        .returning('key')
        .execute();
      return rows.map(({ key }) => key);
    },

    /** Acknowledged requests without a claim now, or in `laterMs`; oldest first. */
    unfinished: (limit: number, laterMs = 0): Promise<InboxTable[]> =>
      db
        .selectFrom('inbox')
        .selectAll()
        .where('state', '=', 'new')
        .where('claimedUntil', '<=', clock(laterMs))
        .where(isCurrent)
        .orderBy('receivedAt')
        .limit(limit)
        .execute(),

    finish: (key: string): Promise<void> => finishing.add(key),

    drain: async () => {
      await Promise.all([receiving.drain(), finishing.drain()]);
    },
  };
}
