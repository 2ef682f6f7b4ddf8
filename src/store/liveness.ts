import type { Context } from './dialect.ts';
import { due, underWayList } from './open-states.ts';

/** Reads the ages that show a stall. Reads open rows only, so the cost does not grow with the history. */
export function createLiveness({ db, now }: Context) {
  const operations = () => db.selectFrom('operations');
  const oldest = async (column: 'updatedAt' | 'endedAt', among: ReturnType<typeof operations>) => {
    const row = await among.select(({ fn }) => fn.min(column).as('at')).executeTakeFirst();
    return row?.at ?? undefined;
  };
  return {
    /** The time since which the oldest decided request has waited to begin. */
    oldestApprovedAt: () =>
      oldest('updatedAt', operations().where('state', 'in', underWayList).where('state', '=', 'approved')),

    /** The time since which the oldest ended request owes its final card and reply. */
    oldestOwedEndAt: () => {
      const owed = operations().where('endedAt', 'is not', null).where('nextTurnAt', 'is not', null);
      // One whose change is followed at the name servers has both already.
      return oldest('endedAt', owed.where('outsideSince', 'is', null));
    },

    /** For each channel, how long its oldest undelivered message has waited. */
    async outboxLagMs(): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('messages')
        .select(({ fn }) => ['channel', fn.min('updatedAt').as('at')])
        .where('state', '=', due)
        .groupBy('channel')
        .execute();
      return Object.fromEntries(rows.map(({ channel, at }) => [channel, now() - at]));
    },
  };
}
