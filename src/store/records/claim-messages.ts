import { sql } from 'kysely';
import type { Context } from '../dialect.ts';
import type { MessageRow } from './message-row.ts';

export interface ClaimedMessage extends MessageRow {
  /** The `ts` of the message that `parentKey` names, to whose thread a reply goes. */
  parentTs: string | null;
}

/**
 * Claims the due messages for the lease time in one statement, so that two replicas never claim the same message; new
 * messages before edits, in the order in which they were first stored: edits of five hundred cards must not delay the
 * message about an end. In the channels in `except` only edits are claimed. The statement is SQL text: building it with
 * Kysely took two thirds of the processor time of a claim (1.6 ms instead of 0.5).
 */
export async function claimNext(
  { db, dialect, clock }: Context,
  ...[owner, leaseMs, limit, except = []]: [owner: string, leaseMs: number, limit: number, except?: readonly string[]]
) {
  const isDue = sql`state = 'due'`;
  const isNew = sql`${isDue} and ts is null`;
  /** For each channel, its first new message that is postponed, and its first that another process has claimed. */
  const waiting = sql`
    select channel,
      min(seq) filter (where not_before > ${clock()}) as seq,
      min(seq) filter (where claimed_until > ${clock()} and claimed_by != ${owner}) as others_seq
    from messages
    where ${isNew}
    group by channel`;
  // Several replicas: skips new messages that come after one that another process has claimed. If this condition were
  // applied after the limit, many such messages could fill the limit, and other channels would wait too.
  const isNotBehindOthers = dialect.hasRowLocks
    ? sql`and (message.ts is not null or waiting.others_seq is null or message.seq < waiting.others_seq)`
    : sql``;
  // A scalar subquery, because PostgreSQL turned `not exists` into a join of each message with all due messages.
  const waitingParent = sql`
    select case when parent.state = 'due' and parent.ts is null then parent.seq end
    from messages as parent
    where parent.key = message.parent_key`;
  /**
   * Messages that are due, not postponed and not claimed, and whose parent is posted (or never will be). A postponed
   * new message also delays the later ones in its channel, so that people read them in order.
   */
  const next = sql`
    select message.seq, message.channel, message.ts
    from messages as message
    left join waiting on waiting.channel = message.channel
    where message.state = 'due'
      and message.not_before <= ${clock()}
      and message.claimed_until <= ${clock()}
      and (waiting.seq is null or message.seq < waiting.seq)
      and (message.ts is not null or not ${dialect.isAmong('message.channel', JSON.stringify(except))})
      ${isNotBehindOthers}
      and (${waitingParent}) is null
    order by case when message.ts is null then 0 else 1 end, message.seq
    limit ${limit}
    ${dialect.hasRowLocks ? sql`for update of message skip locked` : sql``}`;
  // Several replicas: a channel's new messages belong to the process that claims the first of them, or they could
  // overtake each other. A claim that another process is about to commit is not visible, so new messages are claimed
  // only together with the channel's first. A lookup for each channel: one for each message took most of PostgreSQL's
  // time.
  const isOursInOrder = dialect.hasRowLocks
    ? sql`
      left join (
        select channel, min(seq) as seq
        from messages
        where ${isNew} and seq not in (select mine.seq from next as mine) and claimed_until <= ${clock()}
        group by channel
      ) as first on first.channel = next.channel
      where next.ts is not null or first.seq is null or next.seq < first.seq`
    : sql``;
  // `next` is apart from the update, so that PostgreSQL chooses and locks the rows once. `waiting` is materialized:
  // read again for every message, a few hundred edits would take seconds.
  const { rows } = await sql<ClaimedMessage>`
    with waiting as materialized (${waiting}), next as (${next})
    update messages
    set claimed_by = ${owner}, claimed_until = ${clock(leaseMs)}
    where seq in (select next.seq from next ${isOursInOrder})
    returning *,
      (select parent.ts from messages as parent where parent.key = messages.parent_key) as parent_ts`.execute(db);
  return rows.toSorted((a, b) => Number(a.ts !== null) - Number(b.ts !== null) || a.seq - b.seq);
}
