import { sql } from 'kysely';
import { textList } from './columns.ts';
import type { Context } from './dialect.ts';
import { openList } from './open-states.ts';
import { type OperationRow, toOperation } from './operation-row.ts';
import { isForThisVersion } from './own-rows.ts';
import { prepared } from './prepared.ts';

export type Turns = ReturnType<typeof createTurns>;

/**
 * Decides which process takes the next turn of an operation, and when. `next_turn_at` is when it is due, null when
 * nothing is left to do; `turn_owner` holds it until `turn_until`, by the clock that all replicas share.
 */
export function createTurns({ db, dialect, clock, build }: Context) {
  const isOurs = isForThisVersion({ build, clock });
  interface Claim {
    readonly id: string;
    readonly owner: string;
    readonly leaseMs: number;
  }
  const claim = prepared(({ id, owner, leaseMs }: Claim, which: 'asked' | 'due') =>
    db
      .updateTable('operations')
      .set(({ eb, ref }) => ({
        turnOwner: owner,
        turnUntil: clock(leaseMs, true),
        nextTurnAt: clock(leaseMs, true),
        // Rows written from now on are for this version and newer ones.
        format: eb.case().when('format', '<', build).then(build).else(ref('format')).end(),
      }))
      .where('id', '=', id)
      .where('turnUntil', '<=', clock(0, true))
      .where(isForThisVersion({ build, clock }, true))
      .$if(which === 'due', (query) => query.where('nextTurnAt', '<=', clock(0, true)))
      .$if(which === 'asked', (query) => query.where('nextTurnAt', 'is not', null))
      .returningAll(),
  );

  interface Return {
    readonly id: string;
    readonly owner: string;
    readonly waitMs: number;
  }
  const giveBack = prepared(({ id, owner, waitMs }: Return, how: 'over' | 'waits' | 'failed') =>
    db
      .updateTable('operations')
      .set(({ eb, ref }) => ({
        turnOwner: null,
        turnUntil: 0,
        turnFailures: how === 'failed' ? eb('turnFailures', '+', 1) : 0,
        nextTurnAt: eb
          .case()
          .when('nextTurnAt', '<', ref('turnUntil'))
          .then(ref('nextTurnAt'))
          .else(how === 'over' ? sql<number | null>`null` : clock(waitMs, true))
          .end(),
      }))
      .where('id', '=', id)
      .where('turnOwner', '=', owner)
      .returning(({ eb }) => eb('nextTurnAt', '<=', clock(0, true)).as('isDue')),
  );

  interface Keep {
    readonly owner: string;
    readonly leaseMs: number;
    readonly ids: string;
  }
  const keep = prepared(({ owner, leaseMs, ids }: Keep) => {
    const until = clock(leaseMs, true);
    return (
      db
        // Locked in the order in which cards lock them: in any other, the two would wait for each other.
        .with('mine', (reads) =>
          reads
            .selectFrom('operations')
            .select('id')
            .where('nextTurnAt', 'is not', null)
            .where('turnOwner', '=', owner)
            .where(dialect.isAmong('id', ids))
            .$if(dialect.hasRowLocks, (query) => query.orderBy('id').forUpdate()),
        )
        .updateTable('operations')
        .set(({ eb, ref }) => ({
          turnUntil: until,
          nextTurnAt: eb.case().when('nextTurnAt', '<', ref('turnUntil')).then(ref('nextTurnAt')).else(until).end(),
        }))
        .where('id', 'in', ({ selectFrom }) => selectFrom('mine').select('mine.id'))
    );
  });

  return {
    /**
     * Claims the operation for so long; undefined when another process holds it, or when it is neither due nor asked
     * for. It is due again at the end of the lease, in case the process is killed.
     */
    async claim(id: string, owner: string, leaseMs: number, isAsked: boolean): Promise<OperationRow | undefined> {
      const [row] = (await claim(db, { id, owner, leaseMs }, isAsked ? 'asked' : 'due')).rows;
      return row && toOperation(row);
    },

    /**
     * Releases it until so long from now, or for good. True when another turn was asked for meanwhile: then it is due
     * now.
     */
    async giveBack(
      id: string,
      owner: string,
      { waitMs, hasFailed = false }: { waitMs: number | null; hasFailed?: boolean },
    ): Promise<boolean> {
      const how = hasFailed ? 'failed' : waitMs === null ? 'over' : 'waits';
      const { rows } = await giveBack(db, { id, owner, waitMs: waitMs ?? 0 }, how);
      return Boolean(rows[0]?.isDue);
    },

    /**
     * Extends the leases of the turns that this process is taking: a turn may take longer than its lease. One that it
     * has ended, but could not give back, is left to lapse.
     */
    async keep(owner: string, leaseMs: number, ids: readonly string[]): Promise<void> {
      await keep(db, { owner, leaseMs, ids: textList(ids) });
    },

    /**
     * Makes it due now, even while a process holds it. An operation that has ended and was announced is never due
     * again.
     */
    async ask(id: string): Promise<void> {
      await db
        .updateTable('operations')
        .set({ nextTurnAt: clock() })
        .where('id', '=', id)
        .where('nextTurnAt', 'is not', null)
        .execute();
    },

    /**
     * Operations that were decided or have no step under way, and have not changed since then: the process that should
     * have woken them did not.
     */
    async stalled(updatedBefore: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('operations')
        .select('id')
        .where('state', 'in', openList)
        .where('state', '!=', 'waiting')
        .where('heldAt', 'is', null)
        .where('turnUntil', '<=', clock())
        .where('updatedAt', '<', updatedBefore)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('steps')
                .select('steps.n')
                .whereRef('steps.operationId', '=', 'operations.id')
                .where('steps.startedAt', 'is not', null)
                .where('steps.endedAt', 'is', null),
            ),
          ),
        )
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Operations that are due and held by no process, the longest due first. */
    async due(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('operations')
        .select('id')
        .where('nextTurnAt', '<=', clock())
        .where('turnUntil', '<=', clock())
        .where(isOurs)
        .orderBy('nextTurnAt')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
