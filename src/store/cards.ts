import type { Context } from './dialect.ts';
import { createMessageStore, type NewMessage } from './messages.ts';
import { type OperationRow, toOperation } from './operations.ts';
import { type StepRow, toStep } from './steps.ts';
import { toVote, type VoteRow } from './votes.ts';

export interface CardRows {
  readonly operation: OperationRow;
  readonly steps: readonly StepRow[];
  readonly votes: readonly VoteRow[];
}

export type Cards = ReturnType<typeof createCards>;

/** The message of an operation, drawn from its rows. */
export function createCards(context: Context) {
  const { db, dialect } = context;
  return {
    /**
     * Reads the rows, draws and puts, one drawing of an operation at a time: whoever changes a row draws afterwards, so
     * the last drawing has seen the last change. Nothing is put when nothing is drawn; undefined
     * when there is no such operation.
     */
    put: (
      id: string,
      draw: (rows: CardRows) => NewMessage | undefined,
    ): Promise<{ readonly operation: OperationRow; readonly isChanged: boolean } | undefined> =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('operations')
          .selectAll()
          .where('id', '=', id)
          .$if(dialect.hasRowLocks, (query) => query.forUpdate())
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const steps = await transaction
          .selectFrom('steps')
          .selectAll()
          .where('operationId', '=', id)
          .orderBy('n')
          .execute();
        const votes = await transaction
          .selectFrom('votes')
          .selectAll()
          .where('operationId', '=', id)
          .orderBy('at')
          .orderBy('userId')
          .execute();
        const operation = toOperation(row);
        const message = draw({ operation, steps: steps.map(toStep), votes: votes.map(toVote) });
        const isChanged =
          message !== undefined && (await createMessageStore({ ...context, db: transaction }).put(message));
        return { operation, isChanged };
      }),
  };
}
