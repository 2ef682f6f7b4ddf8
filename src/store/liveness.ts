import type { Context } from './dialect.ts';
import { due, underWayList } from './open-states.ts';

/** Reads the ages that show a stall. Reads open rows only, so the cost does not grow with the history. */
export function createLiveness({ db, now }: Context) {
  return {
    /** The time since which the oldest decided request has waited to begin. */
    async oldestApprovedAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('operations')
        .select(({ fn }) => fn.min('updatedAt').as('at'))
        .where('state', 'in', underWayList)
        .where('state', '=', 'approved')
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    /** The time since which the oldest ended request owes its final card and reply. */
    async oldestOwedEndAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('operations')
        .select(({ fn }) => fn.min('endedAt').as('at'))
        .where('endedAt', 'is not', null)
        .where('nextTurnAt', 'is not', null)
        // One whose change is followed at the name servers has both already.
        .where('outsideSince', 'is', null)
        .executeTakeFirst();
      return row?.at ?? undefined;
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
