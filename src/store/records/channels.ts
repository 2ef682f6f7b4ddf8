import { sql } from 'kysely';
import { type Context, countRows } from '../dialect.ts';

/** The columns with the id of a channel, each with the condition for a row that the new id already has. */
const places = [
  ['operations', 'channel', 'false'],
  ['messages', 'channel', 'false'],
  ['hooks', 'channel', 'false'],
  ['alerts', 'channel', 'same.rule = alerts.rule and same.cause = alerts.cause and same.resolved_at is null'],
  // Policies and subscriptions have the channel as their key.
  ['stored_values', 'key', 'same.kind = stored_values.kind'],
  ['freezes', 'muted_in', 'false'],
] as const;

/** Moves records to a channel's new id: Slack changes that of a private channel shared with another organization. */
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
        for (const [table, column, isTaken] of places) {
          const of = sql.ref(column);
          const taken = sql`select 1 from ${sql.table(table)} as same where same.${of} = ${to} and ${sql.raw(isTaken)}`;
          await sql`update ${sql.table(table)} set ${of} = ${to} where ${of} = ${from} and not exists (${taken})`.execute(
            transaction,
          );
        }
        const [scope, scopeBefore] = [`channel:${to}`, `channel:${from}`];
        await transaction.updateTable('freezes').set({ scope }).where('scope', '=', scopeBefore).execute();
        // Open forms, and requests that a crash interrupted, contain the channel's id.
        for (const [table, column, isOpen] of [
          ['forms', 'data', sql`true`],
          ['inbox', 'body', sql`state = 'new'`],
        ] as const) {
          const moved = sql`replace(${sql.ref(column)}, ${before}, ${after})`;
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${moved} where ${isOpen}`.execute(transaction);
        }
      });
    },
  };
}
