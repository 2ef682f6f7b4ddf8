import type { Context } from './dialect.ts';
import { due, openList } from './records/open-states.ts';

export type Liveness = ReturnType<typeof createLiveness>;

/** Reads the ages that show whether something stands still. Reads only open rows, however many have ended. */
export function createLiveness({ db, now, clock }: Context) {
  return {
    /** Since when the longest decided request has waited to begin. */
    async oldestApprovedAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('operations')
        .select(({ fn }) => fn.min('updatedAt').as('at'))
        .where('state', 'in', openList)
        .where('state', '=', 'approved')
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    /** Since when the longest ended request owes its card and its reply. */
    async oldestOwedEndAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('operations')
        .select(({ fn }) => fn.min('endedAt').as('at'))
        .where('nextTurnAt', 'is not', null)
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    /** For each channel, how long the first message that Slack has not got has waited. */
    async outboxLagMs(): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('messages')
        .select(({ fn }) => ['channel', fn.min('updatedAt').as('at')])
        .where('state', '=', due)
        .groupBy('channel')
        .execute();
      return Object.fromEntries(rows.map(({ channel, at }) => [channel, now() - at]));
    },

    /** Writes a row, as every request has to: a full disk or a read-only database still answers reads. */
    async write(owner: string): Promise<void> {
      await db
        .insertInto('leases')
        .values({ name: `probe:${owner}`, owner, until: clock() })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ until: clock() }))
        .execute();
    },
  };
}
