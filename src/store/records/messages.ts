import { type NotNull, sql } from 'kysely';
import type { Alert } from '../../core/alert/alert.ts';
import { type Context, countRows } from '../dialect.ts';
import { due } from '../open-states.ts';
import { claimNext } from './claim-messages.ts';
import { eventPrefix } from './events.ts';
import { type MessageRow, messageValues, type NewMessage } from './message-row.ts';

/** The outbox: stores messages first; the process that claims a message delivers it. */
export function createMessageStore(context: Context) {
  const { db, dialect, now, clock } = context;
  const updateByKey = (key: string) => db.updateTable('messages').where('key', '=', key);
  const undelivered = (key: string, error: string) =>
    updateByKey(key).set({ claimedBy: null, claimedUntil: 0, updatedAt: now(), error }).where('state', '=', due);

  const putAll = async (messages: readonly NewMessage[], onto = db): Promise<readonly string[]> => {
    if (messages.length === 0) return [];
    const at = now();
    const changed = await onto
      .insertInto('messages')
      .values(messages.map((message) => messageValues(message, at)))
      .onConflict((conflict) =>
        conflict
          .column('key')
          // Keeps the claim, or two processes would post the message at once, and `notBefore`, which Slack requested.
          .doUpdateSet(({ ref, eb }) => ({
            view: ref('excluded.view'),
            wanted: eb('messages.wanted', '+', 1),
            state: 'due',
            attempts: 0,
            updatedAt: at,
            error: null,
          }))
          .whereRef('messages.view', '!=', 'excluded.view')
          // An event never changes.
          .where('messages.channel', 'not like', `${eventPrefix}%`),
      )
      .returning('key')
      .execute();
    return changed.map(({ key }) => key);
  };

  return {
    /** False if the stored message already has this content. */
    put: async (message: NewMessage): Promise<boolean> => (await putAll([message])).length > 0,

    /** Puts the message of these alerts, `alert:…`. False also if one of its alerts has changed since it was read. */
    putAlerts: (message: NewMessage, read: readonly Pick<Alert, 'id' | 'version'>[]): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const versions = new Map(read.map(({ id, version }) => [id, version]));
        const present = await transaction
          .selectFrom('alerts')
          .select(['id', 'version'])
          .where('message', '=', message.key.slice('alert:'.length))
          .$if(dialect.hasRowLocks, (query) => query.forUpdate())
          .execute();
        if (present.some(({ id, version }) => versions.get(id) !== version)) return false;
        return (await putAll([message], transaction)).length > 0;
      }),

    /** Returns the keys of the messages whose content changed. */
    putAll,

    claimDue: claimNext.bind(null, context),

    /**
     * `version` is the `wanted` that was sent. The row is due again at once if its content changed since, and also if
     * newer content was delivered before this one, since Slack now shows the older content. `isAtRoot`: the parent
     * message was deleted, so the reply was posted to the channel itself. Returns the state of the row; undefined if
     * another delivery came first.
     */
    async delivered(key: string, version: number, ts?: string, isAtRoot = false) {
      const { rows } = await sql<Pick<MessageRow, 'state'>>`
        update messages
        set delivered = ${version}, ts = coalesce(${ts ?? null}, ts),
          ${isAtRoot ? sql`thread_ts = null, parent_key = null,` : sql``}
          state = case when wanted = ${version} then 'delivered' else 'due' end, attempts = 0, not_before = 0,
          claimed_by = null, claimed_until = 0, updated_at = ${now()}, error = null
        where key = ${key} and delivered < ${version} and wanted >= ${version}
        returning state`.execute(db);
      const [noted] = rows;
      if (noted !== undefined) return noted.state;
      await updateByKey(key)
        .set(({ eb }) => ({ wanted: eb('wanted', '+', 1), state: 'due', updatedAt: now() }))
        .where('delivered', '>', version)
        .execute();
      return undefined;
    },

    postpone: (key: string, delayMs: number, error: string): Promise<unknown> =>
      undelivered(key, error)
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), notBefore: clock(delayMs) }))
        .execute(),

    /** Gives up the delivery of this content; a new view makes the message due again. */
    dead: (key: string, error: string): Promise<unknown> =>
      undelivered(key, error).set({ state: 'dead', notBefore: 0 }).execute(),

    /** Returns the channel and `ts` of those messages that are in Slack. */
    posted: (keys: readonly string[]): Promise<{ key: string; channel: string; ts: string }[]> =>
      db
        .selectFrom('messages')
        .select(['key', 'channel', 'ts'])
        .where('key', 'in', keys)
        .where('ts', 'is not', null)
        // The condition above excludes null, which Kysely does not infer.
        .$narrowType<{ ts: NotNull }>()
        .execute(),

    find: (key: string) => db.selectFrom('messages').selectAll().where('key', '=', key).executeTakeFirst(),

    /** Finds messages by a prefix of their key. The prefixes contain no pattern characters. */
    async beginningWith(prefixes: readonly string[]): Promise<{ key: string; channel: string }[]> {
      if (prefixes.length === 0) return [];
      return db
        .selectFrom('messages')
        .select(['key', 'channel'])
        .where((eb) => eb.or(prefixes.map((prefix) => eb('key', 'like', `${prefix}%`))))
        .execute();
    },

    pending: (): Promise<number> => db.selectFrom('messages').where('state', '=', due).$call(countRows),

    /** Ms until the next message is due: until its postponement, or another process's claim, ends. */
    async dueInMs(): Promise<number | undefined> {
      const row = await db
        .selectFrom('messages')
        .select([
          sql<number | null>`min(case when not_before > claimed_until then not_before else claimed_until end)`.as('at'),
          clock().as('now'),
        ])
        .where('state', '=', due)
        .executeTakeFirstOrThrow();
      return row.at === null ? undefined : row.at - row.now;
    },
  };
}
