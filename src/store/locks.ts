import { underWayStates } from '../core/operation.ts';
import type { Context } from './dialect.ts';
import type { LocksTable } from './schema.ts';

export type LockRow = LocksTable;

export type Acquired = { ok: true } | { ok: false; holder: LockRow };

/** Thrown to roll back, never seen outside. */
class AlreadyLocked extends Error {
  readonly holder: LockRow;

  constructor(holder: LockRow) {
    super(`${holder.target} is locked by ${holder.operationId}`);
    this.holder = holder;
  }
}

export type Locks = ReturnType<typeof createLocks>;

export function createLocks({ db, now }: Context) {
  return {
    /** All or none. An operation that holds some of them already keeps them. */
    async acquire(
      targets: readonly string[],
      { operationId, owner, reason }: { operationId: string; owner: string; reason: string },
    ): Promise<Acquired> {
      // Sorted, so that two operations that want the same targets wait for each other in one order only.
      const wanted = [...new Set(targets)].sort();
      if (wanted.length === 0) return { ok: true };
      const since = now();
      try {
        await db.transaction().execute(async (transaction) => {
          let present: LockRow[] = [];
          // A lock that is released between the two statements is neither ours nor anybody's: ask again.
          while (present.length < wanted.length) {
            await transaction
              .insertInto('locks')
              .values(wanted.map((target) => ({ target, operationId, owner, reason, since })))
              .onConflict((conflict) => conflict.column('target').doNothing())
              .execute();
            present = await transaction
              .selectFrom('locks')
              .selectAll()
              .where('target', 'in', wanted)
              .orderBy('target')
              .execute();
            const holder = present.find((lock) => lock.operationId !== operationId);
            if (holder !== undefined) throw new AlreadyLocked(holder);
          }
        });
        return { ok: true };
      } catch (error) {
        if (error instanceof AlreadyLocked) return { ok: false, holder: error.holder };
        throw error;
      }
    },

    async release(operationId: string): Promise<void> {
      await db.deleteFrom('locks').where('operationId', '=', operationId).execute();
    },

    /** Releases locks of requests that are not running: they have ended, wait for people, or are gone. */
    async releaseLeft(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('locks')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('operations')
                .select('operations.id')
                .whereRef('operations.id', '=', 'locks.operationId')
                .where('operations.state', 'in', underWayStates),
            ),
          ),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    list: (): Promise<LockRow[]> => db.selectFrom('locks').selectAll().orderBy('since').orderBy('target').execute(),
  };
}
