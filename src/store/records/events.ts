import { sql } from 'kysely';
import type { Context } from '../dialect.ts';
import type { MessageRow } from './message-row.ts';

/** Begins the channel of an event, before the id of its hook. */
export const eventPrefix = 'event:';

const waiting = sql.lit('event' as const);

/** Events in the outbox: messages to addresses of others instead of Slack. */
export function createEvents({ db, now, clock }: Context) {
  const update = (state: 'dead' | 'delivered') =>
    db.updateTable('messages').set({ state, updatedAt: now() }).where('state', '=', waiting);
  return {
    /** The oldest events that are not postponed. */
    due: (limit: number): Promise<MessageRow[]> =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('state', '=', waiting)
        .where('notBefore', '<=', clock())
        .orderBy('seq')
        .limit(limit)
        .execute(),

    posted: (key: string): Promise<unknown> => update('delivered').where('key', '=', key).execute(),

    /** Postpones all events of an address, so that they arrive in order. */
    postpone: (channel: string, delayMs: number, error: string): Promise<unknown> =>
      db
        .updateTable('messages')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), notBefore: clock(delayMs), error }))
        .where('channel', '=', channel)
        .where('state', '=', waiting)
        .execute(),

    /** Gives up all events of an address. */
    drop: (channel: string): Promise<unknown> => update('dead').where('channel', '=', channel).execute(),
  };
}
