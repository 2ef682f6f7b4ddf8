import type { Context } from '../dialect.ts';
import type { VotesTable } from '../schema.ts';

export interface VoteRow extends Omit<VotesTable, 'isVoid'> {
  isVoid: boolean;
}

interface NewVote {
  operationId: string;
  userId: string;
  vote: VotesTable['vote'];
  comment?: string;
  /** Defaults to now. */
  at?: number;
}

export function createVotes({ db, now }: Context) {
  return {
    /** True for a person's first valid vote; after a voided vote the person may vote again. */
    async cast({ operationId, userId, vote, comment, at = now() }: NewVote): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('votes')
        .values({ operationId, userId, vote, comment: comment ?? null, at, isVoid: 0, why: null })
        .onConflict((conflict) =>
          conflict
            .columns(['operationId', 'userId'])
            .doUpdateSet(({ ref }) => ({
              vote: ref('excluded.vote'),
              comment: ref('excluded.comment'),
              at: ref('excluded.at'),
              isVoid: 0,
              why: null,
            }))
            .where('votes.isVoid', '=', 1),
        )
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** Votes in the order of casting, including voided ones. */
    async list(operationId: string): Promise<VoteRow[]> {
      const rows = await db
        .selectFrom('votes')
        .selectAll()
        .where('operationId', '=', operationId)
        .orderBy('at')
        .orderBy('userId')
        .execute();
      return rows.map(toVote);
    },

    async void(operationId: string, userId: string, why: string, on = db): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable('votes')
        .set({ isVoid: 1, why })
        .where('operationId', '=', operationId)
        .where('userId', '=', userId)
        .where('isVoid', '=', 0)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

export function toVote(row: VotesTable): VoteRow {
  return { ...row, isVoid: row.isVoid === 1 };
}
