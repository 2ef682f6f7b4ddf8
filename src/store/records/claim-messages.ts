import type { Context } from '../dialect.ts';
import { due } from './open-states.ts';

interface Claim {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** A JSON list of channels whose new messages are not wanted. */
  readonly except: string;
}

/** Claims the next messages of the outbox: one statement, so that several replicas never take the same. */
export function createClaimNext({ db, dialect, clock }: Context) {
  const withWaiting = (owner: string) =>
    db.with(
      (cte) => cte('waiting').materialized(),
      (reads) =>
        reads
          .selectFrom('messages')
          .select(({ fn }) => [
            'channel',
            fn.min('seq').filterWhere('notBefore', '>', clock()).as('seq'),
            fn
              .min('seq')
              .filterWhere('claimedUntil', '>', clock())
              .filterWhere('claimedBy', '!=', owner)
              .as('othersSeq'),
          ])
          .where('state', '=', due)
          .where('ts', 'is', null)
          .groupBy('channel'),
    );
  /**
   * Due, not postponed, claimed by nobody, and its parent is posted (or never will be). A message that is not in Slack
   * yet and has to wait also delays those behind it in its channel, so that people read them in order.
   */
  const claimable = ({ owner, except }: Claim) =>
    // Read once for each channel: read for every message, a few hundred edits would take seconds.
    withWaiting(owner)
      .selectFrom('messages as message')
      .leftJoin('waiting', (join) => join.onRef('waiting.channel', '=', 'message.channel'))
      .select(['message.seq', 'message.channel', 'message.ts'])
      .where('message.state', '=', due)
      .where('message.notBefore', '<=', clock())
      .where('message.claimedUntil', '<=', clock())
      .where(({ or, eb, ref }) => or([eb('waiting.seq', 'is', null), eb('message.seq', '<', ref('waiting.seq'))]))
      .where(({ or, not, eb }) =>
        or([eb('message.ts', 'is not', null), not(dialect.isAmong('message.channel', except))]),
      )
      // Several replicas: new messages behind one that another has are that one's. If they were left to it only when they
      // are chosen, a long row of them would be all that is chosen, and those of other channels would wait with them.
      .$if(dialect.hasRowLocks, (query) =>
        query.where(({ or, eb, ref }) =>
          or([
            eb('message.ts', 'is not', null),
            eb('waiting.othersSeq', 'is', null),
            eb('message.seq', '<', ref('waiting.othersSeq')),
          ]),
        ),
      )
      // A value of the row with that key: of `not exists` PostgreSQL made a join of each message with all that are due, and
      // it looked for the parent among all of them where the statement said that the parent is one.
      .where(({ eb, selectFrom }) =>
        eb(
          selectFrom('messages as parent')
            .select((parent) =>
              parent
                .case()
                .when(parent.and([parent('parent.state', '=', due), parent('parent.ts', 'is', null)]))
                .then(parent.ref('parent.seq'))
                .end()
                .as('seq'),
            )
            .whereRef('parent.key', '=', 'message.parentKey'),
          'is',
          null,
        ),
      );

  return (claim: Claim) => {
    const { owner, leaseMs, limit } = claim;
    const next = claimable(claim)
      .orderBy(({ eb }) => eb.case().when('message.ts', 'is', null).then(0).else(1).end())
      .orderBy('message.seq')
      .limit(limit);
    return (
      db
        // Apart from the update, so that PostgreSQL chooses and locks the rows once.
        .with('next', () => next.$if(dialect.hasRowLocks, (query) => query.forUpdate().skipLocked()))
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
                      .where('state', '=', due)
                      .where('ts', 'is', null)
                      .where('seq', 'not in', selectFrom('next as mine').select('mine.seq'))
                      .where('claimedUntil', '<=', clock())
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
    );
  };
}
