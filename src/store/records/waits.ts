import { notBegunStates, timedStates, underWayStates } from '../../core/plan/operation.ts';
import { minute } from '../../core/text/words.ts';
import { type Context, jsonTextOrNull, textList } from '../dialect.ts';
import { createKeyedRead } from '../shared-reads.ts';
import { openList, underWayList } from './open-states.ts';
import { type OperationRow, toOperation } from './operation-row.ts';

/** Holds and stops of approved operations. */
export function createHolds({ db, now, clock }: Context) {
  return {
    /**
     * Holds an approved operation until a person continues it; false if it is already held, or not approved, or if
     * another process has its turn.
     */
    async hold(id: string, why: string, owner: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('operations')
        .set({ heldAt: now(), heldWhy: why, delayWhy: null, updatedAt: now() })
        .where('id', '=', id)
        .where('state', 'in', underWayStates)
        .where('heldAt', 'is', null)
        .where('turnOwner', '=', owner)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

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
    async release(id: string, continuedAt: number, on = db): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('operations')
        .set({ heldAt: null, heldWhy: null, continuedAt, updatedAt: now(), nextTurnAt: clock() })
        .where('id', '=', id)
        .where('state', 'in', underWayStates)
        .where('heldAt', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Prevents further steps: true for exactly one of all callers. */
    async stop(id: string, by: string, on = db): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('operations')
        .set({ stopBy: by, stopAt: now(), updatedAt: now(), nextTurnAt: clock() })
        .where('id', '=', id)
        .where('state', 'in', [...underWayStates, ...timedStates])
        .where('stopAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

/** Requests of these channels or of this requester. */
interface HourFilter {
  readonly channels: readonly string[];
  readonly requester: string;
  readonly limit: number;
}

const mostRivals = 100;

/** Operations that have not begun, and their hours. */
export function createHours({ db, dialect, now, clock }: Context) {
  /** The key of a read is the hour and the commands. */
  const notBegun = createKeyedRead(async (keys) => {
    const all = keys.map(async (key) => {
      const [hour = '', ...commands] = key.split('\n');
      const rows = await db
        .selectFrom('operations')
        .selectAll()
        .$if(hour === '', (query) => query.where('startsAt', 'is', null))
        // `in 2h` typed again a moment later means the same hour.
        .$if(hour !== '', (query) =>
          query.where('startsAt', '>', Number(hour) - minute).where('startsAt', '<', Number(hour) + minute),
        )
        .where('endedAt', 'is', null)
        .where('state', 'in', openList)
        .where('state', 'in', notBegunStates)
        .where('command', 'in', commands)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(mostRivals)
        .execute();
      return [key, rows.map(toOperation)] as const;
    });
    return new Map(await Promise.all(all));
  });
  return {
    /**
     * Requests of these commands that have not begun, for this hour, to the minute, or for none, newest first. Calls at the same moment
     * share one read.
     */
    notBegun: async (commands: readonly string[], startsAt: number | null): Promise<readonly OperationRow[]> =>
      (await notBegun([startsAt ?? '', ...commands].join('\n'))) ?? [],

    /** Changes the hour of a scheduled or standing operation and makes a turn due, unless its row changed since it was read. */
    async reschedule(
      { id, startsAt, updatedAt }: Pick<OperationRow, 'id' | 'startsAt' | 'updatedAt'>,
      { timing, ...plain }: Pick<OperationRow, 'expiresAt' | 'startsAt' | 'timing'>,
      to: 'scheduled' | 'standing' | 'waiting',
      on = db,
    ): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('operations')
        .set({ ...plain, timing: jsonTextOrNull(timing), state: to, updatedAt: now(), nextTurnAt: clock() })
        .$if(to === 'waiting', (query) => query.set({ decidedAt: null }))
        .where('id', '=', id)
        .where('state', '=', to === 'standing' ? to : 'scheduled')
        .where('startsAt', startsAt === null ? 'is' : '=', startsAt)
        // The hour alone may be the same again, after another hour in between.
        .where('updatedAt', '=', updatedAt)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Requests with an hour that have not begun, in one of the channels or by the requester, the next hour first. */
    async byHour({ channels, requester, limit }: HourFilter): Promise<OperationRow[]> {
      const rows = await db
        .selectFrom('operations')
        .selectAll()
        .where('startsAt', 'is not', null)
        .where('endedAt', 'is', null)
        .where('state', 'in', notBegunStates)
        .where(({ eb, or }) => or([eb('requester', '=', requester), dialect.isAmong('channel', textList(channels))]))
        .orderBy('startsAt')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toOperation);
    },
  };
}
