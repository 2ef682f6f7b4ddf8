import type { SqlBool } from 'kysely';
import { type Context, countRows, operationAt, textList } from '../dialect.ts';
import { isCurrent } from '../migrate.ts';
import { underWayList } from '../open-states.ts';
import type { OperationsTable } from '../schema.ts';
import { type OperationRow, toOperation } from './operation-row.ts';

/** An operation, and the time of its claim by the clock for due times. */
export type ClaimedTurn = Readonly<{ operation: OperationRow; at: number }>;

/**
 * Decides which process runs the next turn of an operation, and when. `next_turn_at` is when the turn is due, null if
 * nothing is left to do; `turn_owner` holds it until `turn_until`, by the clock that all replicas share.
 */
export function createTurns({ db, dialect, clock }: Context) {
  const claimed = (rows: readonly (OperationsTable & { claimedAt: number })[]): ClaimedTurn[] =>
    rows.map(({ claimedAt, ...row }) => ({ operation: toOperation(row), at: claimedAt }));
  const lease = (owner: string, leaseMs: number) => ({
    turnOwner: owner,
    turnUntil: clock(leaseMs),
    // The turn is due again at the end of the lease, in case the process is killed.
    nextTurnAt: clock(leaseMs),
  });

  return {
    /**
     * Claims the operation, due or not; undefined if another owner holds it, or if it is over. An owner can claim twice:
     * the poll of a process may claim an operation just as a turn begins or ends in that process.
     */
    async claim(id: string, owner: string, leaseMs: number): Promise<ClaimedTurn | undefined> {
      const rows = await operationAt(id, db)
        .set(lease(owner, leaseMs))
        .where('nextTurnAt', 'is not', null)
        .where(({ or, eb }) => or([eb('turnUntil', '<=', clock()), eb('turnOwner', '=', owner)]))
        .where(isCurrent)
        .returningAll()
        .returning(clock().as('claimedAt'))
        .execute();
      return claimed(rows)[0];
    },

    /** Claims due operations that no process holds, longest due first. */
    async claimDue(owner: string, leaseMs: number, limit: number): Promise<ClaimedTurn[]> {
      const rows = await db
        .with('due', (reads) =>
          reads
            .selectFrom('operations')
            .select('id')
            .where('nextTurnAt', '<=', clock())
            .where('turnUntil', '<=', clock())
            .where(isCurrent)
            .orderBy('nextTurnAt')
            .limit(limit)
            .$if(dialect.hasRowLocks, (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('operations')
        .set(lease(owner, leaseMs))
        .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('due.id'))
        .returningAll()
        .returning(clock().as('claimedAt'))
        .execute();
      return claimed(rows);
    },

    /** Releases the turn until `dueAt` by the clock for due times, or for good. True if a turn is due already. */
    async giveBack(
      id: string,
      owner: string,
      { dueAt, hasFailed = false }: { dueAt: number | null; hasFailed?: boolean },
    ): Promise<boolean> {
      const row = await operationAt(id, db)
        .set(({ eb, ref }) => ({
          turnOwner: null,
          turnUntil: 0,
          turnFailures: hasFailed ? eb('turnFailures', '+', 1) : 0,
          nextTurnAt: eb.case().when('nextTurnAt', '<', ref('turnUntil')).then(ref('nextTurnAt')).else(dueAt).end(),
        }))
        .where('turnOwner', '=', owner)
        .returning(({ eb }) => eb('nextTurnAt', '<=', clock()).$castTo<SqlBool | null>().as('isDue'))
        .executeTakeFirst();
      return Boolean(row?.isDue);
    },

    /**
     * Extends the leases of the turns that this process runs, since a turn may take longer than its lease. The lease of
     * a turn that ended but could not be released expires.
     */
    async keep(owner: string, leaseMs: number, ids: readonly string[]): Promise<void> {
      const until = clock(leaseMs);
      await db
        // Locks the rows in the order in which cards.ts locks them, to avoid a deadlock.
        .with('mine', (reads) =>
          reads
            .selectFrom('operations')
            .select('id')
            .where('nextTurnAt', 'is not', null)
            .where('turnOwner', '=', owner)
            .where(dialect.isAmong('id', textList(ids)))
            .$if(dialect.hasRowLocks, (query) => query.orderBy('id').forUpdate()),
        )
        .updateTable('operations')
        .set(({ eb, ref }) => ({
          turnUntil: until,
          nextTurnAt: eb.case().when('nextTurnAt', '<', ref('turnUntil')).then(ref('nextTurnAt')).else(until).end(),
        }))
        .where('id', 'in', ({ selectFrom }) => selectFrom('mine').select('mine.id'))
        .execute();
    },

    /** Makes a turn due now, even while a process holds the operation. An operation that is over is never due again. */
    async request(id: string): Promise<void> {
      await operationAt(id, db).set({ nextTurnAt: clock() }).where('nextTurnAt', 'is not', null).execute();
    },

    /** The number of operations that the provider is working on. */
    underWay: (): Promise<number> =>
      db
        .selectFrom('operations')
        .where('state', 'in', underWayList)
        .where('state', 'in', ['running', 'reading'])
        // Not `is not null`, for which SQLite would read the due times of all scheduled requests.
        .where(({ fn, val }) => fn.coalesce('nextTurnAt', val(-1)), '>', -1)
        .$call(countRows),
  };
}
