import { sql } from 'kysely';
import { type Context, countRows } from '../dialect.ts';

/**
 * Moves records to a channel's new id: Slack changes the id of a private channel that is shared with another
 * organization.
 */
export function createChannels({ db }: Context) {
  return {
    /** The numbers of records that belong to the channel. */
    async contents(channel: string) {
      const [settings, openOperations, hooks] = await Promise.all([
        db.selectFrom('storedValues').where('key', '=', channel).$call(countRows),
        db.selectFrom('operations').where('channel', '=', channel).where('endedAt', 'is', null).$call(countRows),
        db.selectFrom('hooks').where('channel', '=', channel).$call(countRows),
      ]);
      return { settings, openOperations, hooks };
    },

    /** Moves all rows in one transaction, except those that the new id already has. The audit is not rewritten. */
    async move(from: string, to: string): Promise<void> {
      const [before, after] = [from, to].map((id) => `"channel":${JSON.stringify(id)}`);
      await db.transaction().execute(async (transaction) => {
        for (const table of ['operations', 'messages', 'hooks'] as const) {
          await transaction.updateTable(table).set({ channel: to }).where('channel', '=', from).execute();
        }
        await transaction
          .updateTable('alerts')
          .set({ channel: to })
          .where('channel', '=', from)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('alerts as same')
                  .select('same.id')
                  .whereRef('same.rule', '=', 'alerts.rule')
                  .whereRef('same.cause', '=', 'alerts.cause')
                  .where('same.channel', '=', to)
                  .where('same.resolvedAt', 'is', null),
              ),
            ),
          )
          .execute();
        // Policies and subscriptions have the channel as their key.
        await transaction
          .updateTable('storedValues')
          .set({ key: to })
          .where('key', '=', from)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('storedValues as same')
                  .select('same.key')
                  .whereRef('same.kind', '=', 'storedValues.kind')
                  .where('same.key', '=', to),
              ),
            ),
          )
          .execute();
        await transaction
          .updateTable('freezes')
          .set({ scope: `channel:${to}` })
          .where('scope', '=', `channel:${from}`)
          .execute();
        await transaction.updateTable('freezes').set({ mutedIn: to }).where('mutedIn', '=', from).execute();
        // Open forms, and requests that a crash interrupted, contain the channel's id.
        for (const [table, column, isOpen] of [
          ['forms', 'data', sql`true`],
          ['inbox', 'body', sql`state = 'new'`],
          ['operations', 'place', sql`channel = ${to} and ended_at is null`],
        ] as const) {
          const moved = sql`replace(${sql.ref(column)}, ${before}, ${after})`;
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${moved} where ${isOpen}`.execute(transaction);
        }
      });
    },
  };
}
