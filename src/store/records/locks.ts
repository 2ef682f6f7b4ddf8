import { underWayStates } from '../../core/plan/operation.ts';
import { createBatcher } from '../batcher.ts';
import { type Context, textList } from '../dialect.ts';
import type { LocksTable } from '../schema.ts';

type Acquired = { ok: true } | { ok: false; holder: LocksTable };

/** Thrown to roll back the transaction, and caught in this file. */
const taken = new Error('another operation holds one of the locks');

export function createLocks({ db, dialect, now }: Context) {
  /**
   * Deletes locks of requests that are not under way, and of those whose turn one of the owners has: `ids`, or of all.
   * The rows are locked in the order in which they are acquired, since two orders deadlock.
   */
  const deleteLeft = (owners: readonly string[], ids?: string) =>
    db.deleteFrom('locks').where('target', 'in', ({ selectFrom }) =>
      selectFrom('locks')
        .select('target')
        .where(({ not, exists }) =>
          not(
            exists(
              selectFrom('operations')
                .select('operations.id')
                .whereRef('operations.id', '=', 'locks.operationId')
                .where('operations.state', 'in', underWayStates)
                .where(({ eb, or }) => or([eb('turnOwner', 'is', null), eb('turnOwner', 'not in', ['', ...owners])])),
            ),
          ),
        )
        .$if(ids !== undefined, (query) => query.where(dialect.isAmong('operationId', ids ?? '')))
        .orderBy('target')
        .$if(dialect.hasRowLocks, (query) => query.forUpdate()),
    );
  const releasing = createBatcher({}, async (released: { readonly operationId: string; readonly owner: string }[]) => {
    const ids = textList(released.map(({ operationId }) => operationId));
    const owners = released.map(({ owner }) => owner);
    await deleteLeft(owners, ids).execute();
    return released.map(() => undefined);
  });
  /** Returns the locks that this operation holds now: fewer than `targets` if another operation holds one. */
  const lockAll = (executor: Context['db'], targets: readonly string[], lock: Omit<LocksTable, 'target'>) =>
    executor
      .insertInto('locks')
      .values(targets.map((target) => ({ target, ...lock })))
      .onConflict((conflict) =>
        conflict
          .column('target')
          .doUpdateSet(({ ref }) => ({ since: ref('locks.since') }))
          .whereRef('locks.operationId', '=', 'excluded.operationId'),
      )
      .returning('target')
      .execute();
  return {
    /** Acquires all of the locks or none. Locks that the operation already holds stay with it. */
    async acquire(targets: readonly string[], own: Omit<LocksTable, 'target' | 'since'>): Promise<Acquired> {
      // Sorted, so that two operations with the same targets lock them in the same order.
      const wanted = [...new Set(targets)].sort();
      if (wanted.length === 0) return { ok: true };
      const lock = { ...own, since: now() };
      // Retries when the lock was released between the two statements.
      for (;;) {
        const isOurs =
          wanted.length === 1
            ? (await lockAll(db, wanted, lock)).length === 1
            : await db
                .transaction()
                .execute(async (transaction) => {
                  if ((await lockAll(transaction, wanted, lock)).length < wanted.length) throw taken;
                  return true;
                })
                .catch((error: unknown) => {
                  if (error !== taken) throw error;
                  return false;
                });
        if (isOurs) return { ok: true };
        const held = await db.selectFrom('locks').selectAll().where('target', 'in', wanted).orderBy('target').execute();
        const holder = held.find((row) => row.operationId !== own.operationId);
        if (holder !== undefined) return { ok: false, holder };
      }
    },

    /** Releases the locks of a request that is not under way, or whose turn this owner has. */
    release: (operationId: string, owner: string): Promise<void> => releasing.add({ operationId, owner }),

    /** Releases the locks of requests that have ended, wait for people, or no longer exist. */
    async releaseLeft(): Promise<number> {
      const { numDeletedRows } = await deleteLeft([]).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    /** The locks of these targets, or all. */
    list: (targets?: readonly string[]): Promise<LocksTable[]> =>
      db
        .selectFrom('locks')
        .selectAll()
        .$if(targets !== undefined, (query) => query.where(dialect.isAmong('target', textList(targets ?? []))))
        .orderBy('since')
        .orderBy('target')
        .execute(),
  };
}
