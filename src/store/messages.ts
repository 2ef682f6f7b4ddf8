import { sql } from 'kysely';
import { deleteInParts } from './delete-in-parts.ts';
import type { Context } from './dialect.ts';
import { type MessageRow, messageValues, type NewMessage } from './message-row.ts';
import { openList } from './open-states.ts';

export interface ClaimedMessage extends MessageRow {
  /** The `ts` of the message that `parentKey` names, to whose thread a reply goes. */
  parentTs: string | null;
}

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The outbox. A message is stored here first, and delivered by the process that holds its claim. */
export function createMessageStore({ db, dialect, now, clock }: Context) {
  /** Messages that Slack does not show yet go before edits, in the order they were first put. */
  const inOrder = (rows: readonly ClaimedMessage[]): ClaimedMessage[] =>
    rows.toSorted((a, b) => Number(a.ts !== null) - Number(b.ts !== null) || a.seq - b.seq);

  /**
   * Due, not postponed, claimed by nobody, and its parent is posted (or never will be). A message that is not in Slack
   * yet and has to wait also delays those behind it in its channel, so that people read them in order.
   */
  const claimable = () =>
    db
      .selectFrom('messages as message')
      // Read once for each channel: read for every message, a few hundred edits would take seconds.
      .leftJoin(
        ({ selectFrom }) =>
          selectFrom('messages')
            .select(({ fn }) => ['channel', fn.min('seq').as('seq')])
            .where('state', '=', 'due')
            .where('ts', 'is', null)
            .where('notBefore', '>', clock())
            .groupBy('channel')
            .as('waiting'),
        (join) => join.onRef('waiting.channel', '=', 'message.channel'),
      )
      .select(['message.seq', 'message.channel', 'message.ts'])
      .where('message.state', '=', 'due')
      .where('message.notBefore', '<=', clock())
      .where('message.claimedUntil', '<=', clock())
      .where(({ or, eb, ref }) => or([eb('waiting.seq', 'is', null), eb('message.seq', '<', ref('waiting.seq'))]))
      // A value and no `not exists`, of which PostgreSQL made a join of each message with all that are due.
      .where(({ eb, selectFrom }) =>
        eb(
          selectFrom('messages as parent')
            .select('parent.seq')
            .whereRef('parent.key', '=', 'message.parentKey')
            .where('parent.ts', 'is', null)
            .where('parent.state', '=', 'due'),
          'is',
          null,
        ),
      );

  const putAll = async (messages: readonly NewMessage[]): Promise<readonly string[]> => {
    if (messages.length === 0) return [];
    const at = now();
    const changed = await db
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

  const updateByKey = (key: string) => db.updateTable('messages').where('key', '=', key);

  return {
    /** False when the message should look so already. */
    put: async (message: NewMessage): Promise<boolean> => (await putAll([message])).length > 0,

    /** Answers with the keys of those that look otherwise now. */
    putAll,

    /**
     * Messages to deliver now, in the order they were first put, and new messages before edits: edits of five hundred
     * cards must not delay the message about an end. They are claimed until the lease ends.
     */
    async claimDue(owner: string, leaseMs: number, limit: number): Promise<ClaimedMessage[]> {
      const next = claimable()
        .orderBy(({ eb }) => eb.case().when('message.ts', 'is', null).then(0).else(1).end())
        .orderBy('message.seq')
        .limit(limit);
      const rows = await db
        // Apart from the update, so that PostgreSQL chooses and locks the rows once.
        .with('next', () => next.$if(dialect.hasRowLocks, (query) => query.forUpdate('message').skipLocked()))
        .updateTable('messages')
        .set({ claimedBy: owner, claimedUntil: clock(leaseMs) })
        .where('seq', 'in', ({ selectFrom }) =>
          selectFrom('next')
            .select('next.seq')
            // Several replicas: new messages of a channel are the one's that has the first of them, or they could
            // overtake each other. A process that is about to claim that one is not visible yet, so this process has to
            // claim it as well. Looked up once for each channel: for each message it was most of what PostgreSQL computed.
            .$if(dialect.hasRowLocks, (query) =>
              query
                .leftJoin(
                  ({ selectFrom }) =>
                    selectFrom('messages')
                      .select(({ fn }) => ['channel', fn.min('seq').as('seq')])
                      .where('state', '=', 'due')
                      .where('ts', 'is', null)
                      .where('seq', 'not in', selectFrom('next as mine').select('mine.seq'))
                      .where(({ or, eb }) =>
                        or([
                          eb('claimedBy', 'is', null),
                          eb('claimedBy', '!=', owner),
                          eb('claimedUntil', '<=', clock()),
                        ]),
                      )
                      .groupBy('channel')
                      .as('first'),
                  (join) => join.onRef('first.channel', '=', 'next.channel'),
                )
                .where(({ or, eb, ref }) =>
                  or([
                    eb('next.ts', 'is not', null),
                    eb('first.seq', 'is', null),
                    eb('next.seq', '<', ref('first.seq')),
                  ]),
                ),
            ),
        )
        .returningAll()
        .returning(({ selectFrom }) =>
          selectFrom('messages as parent')
            .select('parent.ts')
            .whereRef('parent.key', '=', 'messages.parentKey')
            .as('parentTs'),
        )
        .execute();
      return inOrder(rows);
    },

    /**
     * `version` is the `wanted` that was sent. The row is due again at once when more was put since, and also when a newer
     * content was delivered before this one: Slack shows this older one now. `isAtRoot`: the message it answers was
     * deleted, and it stands in the channel.
     */
    async delivered(key: string, version: number, ts?: string, isAtRoot = false): Promise<boolean> {
      const { numUpdatedRows } = await updateByKey(key)
        .set(({ eb }) => ({
          delivered: version,
          ...(ts !== undefined && { ts }),
          ...(isAtRoot && { threadTs: null, parentKey: null }),
          state: eb
            .case()
            .when('wanted', '=', version)
            .then('delivered' as const)
            .else('due' as const)
            .end(),
          attempts: 0,
          notBefore: 0,
          claimedBy: null,
          claimedUntil: 0,
          updatedAt: now(),
          error: null,
        }))
        .where('delivered', '<', version)
        .where('wanted', '>=', version)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return true;
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
        .where('state', '=', 'due')
        .execute();
    },

    /** Never to be delivered as it is; a new view makes it due again. */
    async dead(key: string, error: string): Promise<void> {
      await updateByKey(key)
        .set({ state: 'dead', notBefore: 0, claimedBy: null, claimedUntil: 0, updatedAt: now(), error })
        .where('state', '=', 'due')
        .execute();
    },

    /** Finds where those of these messages that are in Slack stand. */
    async posted(keys: readonly string[]): Promise<{ key: string; channel: string; ts: string }[]> {
      const rows = await db
        .selectFrom('messages')
        .select(['key', 'channel', 'ts'])
        .where('key', 'in', keys)
        .where('ts', 'is not', null)
        .execute();
      return rows.flatMap(({ key, channel, ts }) => (ts === null ? [] : [{ key, channel, ts }]));
    },

    find: (key: string): Promise<MessageRow | undefined> =>
      db.selectFrom('messages').selectAll().where('key', '=', key).executeTakeFirst(),

    /** How many wait, and since when the oldest does. */
    async pending(): Promise<{ count: number; oldestAt: number | undefined }> {
      const row = await db
        .selectFrom('messages')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('updatedAt').as('oldestAt')])
        .where('state', '=', 'due')
        .executeTakeFirstOrThrow();
      return { count: row.count, oldestAt: row.oldestAt ?? undefined };
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
        .where('state', '=', 'due')
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
