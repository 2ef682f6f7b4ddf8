import { type Context, hasChanged, rowsAs } from '../dialect.ts';
import type { VotesTable } from '../schema.ts';

export type VoteRow = ReturnType<typeof toVote>;

/** `at` defaults to now. */
type NewVote = Pick<VoteRow, 'operationId' | 'userId' | 'vote'> & Partial<Pick<VoteRow, 'at'>>;

export function createVotes({ db, now }: Context) {
  return {
    /** True for a person's first valid vote; after a voided vote the person may vote again. */
    cast: ({ operationId, userId, vote, at = now() }: NewVote): Promise<boolean> =>
      db
        .insertInto('votes')
        .values({ operationId, userId, vote, at, isVoid: 0, why: null })
        .onConflict((conflict) =>
          conflict
            .columns(['operationId', 'userId'])
            .doUpdateSet(({ ref }) => ({ vote: ref('excluded.vote'), at: ref('excluded.at'), isVoid: 0, why: null }))
            .where('votes.isVoid', '=', 1),
        )
        .$call(hasChanged),

    /** Votes in the order of casting, including voided ones. */
    list: (operationId: string): Promise<VoteRow[]> =>
      db
        .selectFrom('votes')
        .selectAll()
        .where('operationId', '=', operationId)
        .orderBy('at')
        .orderBy('userId')
        .$call(rowsAs(toVote)),

    void: (operationId: string, userId: string, why: string, on = db): Promise<boolean> =>
      on
        .updateTable('votes')
        .set({ isVoid: 1, why })
        .where(({ and }) => and({ operationId, userId, isVoid: 0 }))
        .$call(hasChanged),
  };
}

export function toVote(row: VotesTable) {
  return { ...row, isVoid: row.isVoid === 1 };
}
