import { type NotNull, sql } from 'kysely';
import type { Context } from '../dialect.ts';
import { type ClaimedMessage, claimNext } from './claim-messages.ts';
import { deleteInParts } from './delete-in-parts.ts';
import { type MessageRow, messageValues, type NewMessage } from './message-row.ts';
import { due, openList } from './open-states.ts';

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The outbox. A message is stored here first, and delivered by the process that holds its claim. */
export function createMessageStore(context: Context) {
  const { db, now, clock } = context;
  /** Messages that Slack does not show yet go before edits, in the order they were first put. */
  const inOrder = (rows: readonly ClaimedMessage[]): ClaimedMessage[] =>
    rows.toSorted((a, b) => Number(a.ts !== null) - Number(b.ts !== null) || a.seq - b.seq);

  const updateByKey = (key: string) => db.updateTable('messages').where('key', '=', key);

  const putAll = async (messages: readonly NewMessage[], onto = db): Promise<readonly string[]> => {
    if (messages.length === 0) return [];
    const at = now();
    const changed = await onto
      .insertInto('messages')
      .values(messages.map((message) => messageValues(message, at)))
      .onConflict((conflict) =>
        conflict
          .column('key')
          // A claim stays, or two would post it at once; so does `notBefore`, which is Slack's wish and not ours.
          .doUpdateSet(({ ref, eb }) => ({
            view: ref('excluded.view'),
            wanted: eb('messages.wanted', '+', 1),
            state: 'due',
            attempts: 0,
            updatedAt: at,
            error: null,
          }))
          .whereRef('messages.view', '!=', 'excluded.view'),
      )
      .returning('key')
      .execute();
    return changed.map(({ key }) => key);
  };

  return {
    /** False when the message should look so already. */
    put: async (message: NewMessage): Promise<boolean> => (await putAll([message])).length > 0,

    /** Answers with the keys of those that look otherwise now. */
    putAll,

    /**
     * Messages to deliver now, in the order they were first put, and new messages before edits: edits of five hundred
     * cards must not delay the message about an end. They are claimed until the lease ends. Of the channels in `except`
     * only edits are claimed.
     */
    async claimDue(
      owner: string,
      leaseMs: number,
      limit: number,
      except: readonly string[] = [],
    ): Promise<ClaimedMessage[]> {
      return inOrder(await claimNext(context, { owner, leaseMs, limit, except: JSON.stringify(except) }));
    },

    /** Gives back what this owner claimed and is not delivering: the answer to its claim was lost. */
    async letGo(owner: string, except: readonly string[]): Promise<void> {
      await db
        .updateTable('messages')
        .set({ claimedBy: null, claimedUntil: 0 })
        .where('state', '=', due)
        .where('claimedBy', '=', owner)
        .$if(except.length > 0, (query) => query.where('key', 'not in', except))
        .execute();
    },

    /**
     * `version` is the `wanted` that was sent. The row is due again at once when more was put since, and also when a newer
     * content was delivered before this one: Slack shows this older one now. `isAtRoot`: the message it answers was
     * deleted, and it stands in the channel.
     */
    async delivered(key: string, version: number, ts?: string, isAtRoot = false): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update messages
        set delivered = ${version}, ts = coalesce(${ts ?? null}, ts),
          ${isAtRoot ? sql`thread_ts = null, parent_key = null,` : sql``}
          state = case when wanted = ${version} then 'delivered' else 'due' end, attempts = 0, not_before = 0,
          claimed_by = null, claimed_until = 0, updated_at = ${now()}, error = null
        where key = ${key} and delivered < ${version} and wanted >= ${version}`.execute(db);
      if (numAffectedRows > 0n) return true;
      await updateByKey(key)
        .set(({ eb }) => ({ wanted: eb('wanted', '+', 1), state: 'due', updatedAt: now() }))
        .where('delivered', '>', version)
        .execute();
      return false;
    },

    async postpone(key: string, delayMs: number, error: string): Promise<void> {
      await updateByKey(key)
        .set(({ eb }) => ({
          attempts: eb('attempts', '+', 1),
          notBefore: clock(delayMs),
          claimedBy: null,
          claimedUntil: 0,
          updatedAt: now(),
          error,
        }))
        .where('state', '=', due)
        .execute();
    },

    /** Never to be delivered as it is; a new view makes it due again. */
    async dead(key: string, error: string): Promise<void> {
      await updateByKey(key)
        .set({ state: 'dead', notBefore: 0, claimedBy: null, claimedUntil: 0, updatedAt: now(), error })
        .where('state', '=', due)
        .execute();
    },

    /** Finds where those of these messages that are in Slack stand. */
    posted: (keys: readonly string[]): Promise<{ key: string; channel: string; ts: string }[]> =>
      db
        .selectFrom('messages')
        .select(['key', 'channel', 'ts'])
        .where('key', 'in', keys)
        .where('ts', 'is not', null)
        // As the line above says; Kysely does not see it.
        .$narrowType<{ ts: NotNull }>()
        .execute(),

    find: (key: string): Promise<MessageRow | undefined> =>
      db.selectFrom('messages').selectAll().where('key', '=', key).executeTakeFirst(),

    /** Finds messages by the beginning of their key, which holds no sign of a pattern. */
    async beginningWith(prefixes: readonly string[]): Promise<{ key: string; channel: string }[]> {
      if (prefixes.length === 0) return [];
      return db
        .selectFrom('messages')
        .select(['key', 'channel'])
        .where((eb) => eb.or(prefixes.map((prefix) => eb('key', 'like', `${prefix}%`))))
        .execute();
    },

    /** How many wait. */
    async pending(): Promise<number> {
      const { count } = await db
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', due)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Ms until the next one may be delivered: its wish to wait or another's claim is over then. */
    async dueInMs(): Promise<number | undefined> {
      const row = await db
        .selectFrom('messages')
        .select(({ fn, eb }) => [
          fn
            .min<number | null>(
              eb
                .case()
                .when('notBefore', '>', eb.ref('claimedUntil'))
                .then(eb.ref('notBefore'))
                .else(eb.ref('claimedUntil'))
                .end(),
            )
            .as('at'),
          clock().as('now'),
        ])
        .where('state', '=', due)
        .executeTakeFirstOrThrow();
      return row.at === null ? undefined : row.at - row.now;
    },

    prune: (before: number, atOnce?: number): Promise<number> =>
      deleteInParts((limit) => {
        const old = db
          .selectFrom('messages as old')
          .select('old.key')
          .where('old.state', 'in', ['delivered', 'dead'])
          .where('old.updatedAt', '<', before)
          // An alert that lasts for months is still one message, and so is a card that is still open.
          .where('old.key', 'not in', (eb) =>
            eb
              .selectFrom('alerts')
              .select(sql<string>`'alert:' || message`.as('key'))
              .where('resolvedAt', 'is', null)
              .where('message', 'is not', null),
          )
          .where('old.key', 'not in', (eb) =>
            eb.selectFrom('operations').select(sql<string>`'card:' || id`.as('key')).where('state', 'in', openList),
          )
          .limit(limit);
        return db.deleteFrom('messages').where('key', 'in', old).executeTakeFirstOrThrow();
      }, atOnce),
  };
}
