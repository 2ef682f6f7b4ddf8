import { sql } from 'kysely';
import type { Context } from './dialect.ts';
import { openList } from './open-states.ts';
import { type OperationRow, toOperation } from './operation-row.ts';

export type Turns = ReturnType<typeof createTurns>;

/**
 * Decides which process looks next at an operation, and when. `next_turn_at` is when somebody is to look, null when
 * nothing is owed any more; `turn_owner` has it until `turn_until`, by the clock that all replicas share.
 */
export function createTurns({ db, clock, builds }: Context) {
  return {
    /**
     * Mine for so long; undefined when somebody has it, or when it is not due and nobody asks. Until it is given back it
     * is due again at the end of the lease: a process that is killed holds it no longer.
     */
    async claim(id: string, owner: string, leaseMs: number, isAsked: boolean): Promise<OperationRow | undefined> {
      const until = clock(leaseMs);
      const row = await db
        .updateTable('operations')
        .set(({ eb, ref }) => ({
          turnOwner: owner,
          turnUntil: until,
          nextTurnAt: until,
          // Rows written from now on are for this version and newer ones.
          format: eb.case().when('format', '<', builds.own).then(builds.own).else(ref('format')).end(),
        }))
        .where('id', '=', id)
        .where('turnUntil', '<=', clock())
        .where('format', '<=', builds.most)
        .$if(!isAsked, (query) => query.where('nextTurnAt', '<=', clock()))
        .$if(isAsked, (query) => query.where('nextTurnAt', 'is not', null))
        .returningAll()
        .executeTakeFirst();
      return row && toOperation(row);
    },

    /**
     * Gives it back until so long from now, or for good. True when somebody asked for another turn meanwhile: then it is
     * due now.
     */
    async giveBack(
      id: string,
      owner: string,
      { waitMs, hasFailed = false }: { waitMs: number | null; hasFailed?: boolean },
    ): Promise<boolean> {
      const row = await db
        .updateTable('operations')
        .set(({ eb, ref }) => ({
          turnOwner: null,
          turnUntil: 0,
          turnFailures: hasFailed ? eb('turnFailures', '+', 1) : 0,
          nextTurnAt: eb
            .case()
            .when('nextTurnAt', '<', ref('turnUntil'))
            .then(ref('nextTurnAt'))
            .else(waitMs === null ? sql<number | null>`null` : clock(waitMs))
            .end(),
        }))
        .where('id', '=', id)
        .where('turnOwner', '=', owner)
        .returning(({ eb }) => eb('nextTurnAt', '<=', clock()).as('isDue'))
        .executeTakeFirst();
      return Boolean(row?.isDue);
    },

    /** All that this process has, for so long from now: a turn may take longer than its lease. */
    async keep(owner: string, leaseMs: number): Promise<void> {
      const until = clock(leaseMs);
      await db
        .updateTable('operations')
        .set(({ eb, ref }) => ({
          turnUntil: until,
          nextTurnAt: eb.case().when('nextTurnAt', '<', ref('turnUntil')).then(ref('nextTurnAt')).else(until).end(),
        }))
        .where('nextTurnAt', 'is not', null)
        .where('turnOwner', '=', owner)
        .execute();
    },

    /** It is due now, whoever has it. Nothing that has ended and been told is due again. */
    async ask(id: string): Promise<void> {
      await db
        .updateTable('operations')
        .set({ nextTurnAt: clock() })
        .where('id', '=', id)
        .where('nextTurnAt', 'is not', null)
        .execute();
    },

    /** Decided, or with no step under way, and left so since then: whoever was to say that it is due did not. */
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

    /** Due and held by nobody, the longest first. */
    async due(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('operations')
        .select('id')
        .where('nextTurnAt', '<=', clock())
        .where('turnUntil', '<=', clock())
        .where('format', '<=', builds.most)
        .orderBy('nextTurnAt')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
