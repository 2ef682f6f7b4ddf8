import { createSharedRuns } from '../../core/async/shared-runs.ts';
import type { HourFilter } from '../../core/command/bot-port.ts';
import { notBegunStates } from '../../core/plan/operation.ts';
import { minute } from '../../core/text/words.ts';
import { type Context, hasChanged, operationAt, rowsAs, textList } from '../dialect.ts';
import { openList } from '../open-states.ts';
import { type OperationRow, operationJson, toOperation } from './operation-row.ts';

const mostRivals = 100;

/** Operations that have not begun, and their hours. */
export function createHours({ db, dialect, now, clock }: Context) {
  /** The key of a read is the hour, the arguments and the commands. */
  const notBegun = createSharedRuns(async (key) => {
    const [hour = '', args = '', ...commands] = key.split('\n');
    return (
      db
        .selectFrom('operations')
        .select(['id', 'command', 'channel', 'args'])
        .$if(hour === '', (query) => query.where('startsAt', 'is', null))
        // `in 2h` typed again a moment later means the same hour.
        .$if(hour !== '', (query) =>
          query.where('startsAt', '>', Number(hour) - minute).where('startsAt', '<', Number(hour) + minute),
        )
        .where('endedAt', 'is', null)
        .where('state', 'in', openList)
        .where('state', 'in', notBegunStates)
        .where('command', 'in', commands)
        .$if(args !== '', (query) => query.where('args', '=', args))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(mostRivals)
        .execute()
    );
  });
  return {
    /**
     * Requests of these commands that have not begun, for this hour, to the minute, or for none, newest first. Calls at
     * the same moment share a read. The arguments are JSON text; only requests with these, if given.
     */
    notBegun: (commands: readonly string[], startsAt: number | null, args = '') =>
      notBegun([startsAt ?? '', args, ...commands].join('\n')),

    /** Changes the hour of a scheduled or standing operation and makes a turn due, unless its row changed since it was read. */
    reschedule: (
      { id, startsAt, updatedAt }: Pick<OperationRow, 'id' | 'startsAt' | 'updatedAt'>,
      hour: Pick<OperationRow, 'expiresAt' | 'startsAt' | 'begins'>,
      to: 'scheduled' | 'standing' | 'waiting',
      on = db,
    ): Promise<boolean> =>
      operationAt(id, on)
        .set({ ...operationJson.write(hour), state: to, updatedAt: now(), nextTurnAt: clock() })
        .$if(to === 'waiting', (query) => query.set({ decidedAt: null }))
        .where('state', '=', to === 'standing' ? to : 'scheduled')
        .where('startsAt', startsAt === null ? 'is' : '=', startsAt)
        // The hour alone may be the same again, after another hour in between.
        .where('updatedAt', '=', updatedAt)
        .$call(hasChanged),

    /** Requests with an hour that have not begun, in one of the channels or by the requester, the next hour first. */
    byHour: ({ channels, requester, limit }: HourFilter): Promise<OperationRow[]> =>
      db
        .selectFrom('operations')
        .selectAll()
        .where('startsAt', 'is not', null)
        .where('endedAt', 'is', null)
        .where('state', 'in', notBegunStates)
        .where(({ eb, or }) => or([eb('requester', '=', requester), dialect.isAmong('channel', textList(channels))]))
        .orderBy('startsAt')
        .orderBy('id')
        .limit(limit)
        .$call(rowsAs(toOperation)),
  };
}
