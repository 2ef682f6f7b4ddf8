import { timedStates, underWayStates } from '../../core/plan/operation.ts';
import { type Context, hasChanged, operationAt } from '../dialect.ts';
import { underWayList } from '../open-states.ts';

export function createHolds({ db, now, clock }: Context) {
  return {
    /** Holds an approved operation until a person continues it; false if held, not approved, or in another's turn. */
    hold: (id: string, why: string, owner: string): Promise<boolean> =>
      operationAt(id, db)
        .set({ heldAt: now(), heldWhy: why, delayWhy: null, updatedAt: now() })
        .where('turnOwner', '=', owner)
        .where('state', 'in', underWayStates)
        .where('heldAt', 'is', null)
        .$call(hasChanged),

    /**
     * Holds all approved operations that still have steps to start, because the bot was offline when it should have
     * started them. An hour or the end of a countdown counts as the decision.
     */
    async holdAll(why: string, decidedBefore: number): Promise<string[]> {
      const rows = await db
        .updateTable('operations')
        .set({ heldAt: now(), heldWhy: why, delayWhy: null, updatedAt: now(), nextTurnAt: clock() })
        .where('state', 'in', underWayList)
        .where('heldAt', 'is', null)
        .where(({ fn, eb }) => eb(fn.coalesce('continuedAt', 'decidedAt', 'createdAt'), '<=', decidedBefore))
        .where(({ fn, val, eb }) => eb(fn.coalesce('startsAt', val(0)), '<=', decidedBefore))
        .where(({ fn, val, eb }) => eb(fn.coalesce('readyAt', val(0)), '<=', decidedBefore))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('steps')
              .select('steps.n')
              .whereRef('steps.operationId', '=', 'operations.id')
              .where('steps.state', '=', 'pending'),
          ),
        )
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Ends a hold: true for exactly one of all callers. */
    release: (id: string, continuedAt: number, on = db): Promise<boolean> =>
      operationAt(id, on)
        .set({ heldAt: null, heldWhy: null, continuedAt, updatedAt: now(), nextTurnAt: clock() })
        .where('state', 'in', underWayStates)
        .where('heldAt', 'is not', null)
        .$call(hasChanged),

    /** Prevents further steps: true for exactly one of all callers. */
    stop: (id: string, by: string, on = db): Promise<boolean> =>
      operationAt(id, on)
        .set({ stopBy: by, stopAt: now(), updatedAt: now(), nextTurnAt: clock() })
        .where('state', 'in', [...underWayStates, ...timedStates])
        .where('stopAt', 'is', null)
        .$call(hasChanged),
  };
}
