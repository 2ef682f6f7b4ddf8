import { sql } from 'kysely';
import { inOneSlice, nextTurn } from '../../core/async/in-slices.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { createBatcher } from '../batcher.ts';
import { type Context, textList } from '../dialect.ts';
import type { NewMessage } from './message-row.ts';
import { createMessageStore } from './messages.ts';
import { type OperationRow, toOperation } from './operation-row.ts';
import { type StepRow, toStep } from './steps.ts';
import { toVote, type VoteRow } from './votes.ts';

export interface CardRows {
  readonly operation: OperationRow;
  readonly steps: readonly StepRow[];
  readonly votes: readonly VoteRow[];
}

/** Returns the messages that Slack should show now; undefined changes none. */
type DrawCard = (rows: CardRows) => readonly NewMessage[] | undefined;

interface Drawing {
  readonly id: string;
  readonly draw: DrawCard;
}

/** The messages of an operation, drawn from its rows. */
export function createCards(context: Context) {
  const { db, dialect } = context;
  const store = createMessageStore(context);
  const drawing = createBatcher({ maxItems: 50 }, (drawings: Drawing[]) =>
    db.transaction().execute((transaction) => drawAll(transaction, drawings)),
  );

  async function drawAll(transaction: Context['db'], drawings: readonly Drawing[]) {
    const ids = textList(drawings.map(({ id }) => id));
    const rows = await transaction
      .selectFrom('operations')
      .selectAll('operations')
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('messages')
            .select('messages.key')
            .where('messages.key', '=', sql<string>`'card:' || operations.id`),
        ).as('hasCard'),
      )
      .where(dialect.isAmong('id', ids))
      .orderBy('id')
      .$if(dialect.hasRowLocks, (query) => query.forUpdate())
      .execute();
    // Separate statements, since one that waits for the lock would read the steps and votes of before.
    const isTheirs = dialect.isAmong('operationId', ids);
    const steps = await transaction.selectFrom('steps').selectAll().where(isTheirs).orderBy('n').execute();
    if (steps.length > inOneSlice) await nextTurn();
    const votes = await transaction
      .selectFrom('votes')
      .selectAll()
      .where(isTheirs)
      .orderBy('at')
      .orderBy('userId')
      .execute();
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    const drawn = drawings.map(({ id, draw }) => {
      const row = rowsById.get(id);
      if (row === undefined) return undefined;
      const { hasCard, ...stored } = row;
      const isOwn = ({ operationId }: { readonly operationId: string }) => operationId === id;
      const operation = toOperation(stored);
      const shown = { steps: steps.filter(isOwn).map(toStep), votes: votes.filter(isOwn).map(toVote) };
      const messages = draw({ operation, ...shown }) ?? [];
      // Put again after it was pruned, the card would be posted a second time.
      const isPruned = isEnd(row.state) && !hasCard;
      return { operation, messages: isPruned ? messages.filter(({ key }) => key !== `card:${id}`) : messages };
    });
    // All drawings use the same rows, so a message that was drawn twice is the same.
    const messages = new Map(
      drawn.flatMap((drawing) => drawing?.messages.map((message) => [message.key, message]) ?? []),
    );
    const changed = new Set(await store.putAll([...messages.values()], transaction));
    return drawn.map(
      (drawing) =>
        drawing && { operation: drawing.operation, isChanged: drawing.messages.some(({ key }) => changed.has(key)) },
    );
  }

  return {
    /**
     * Reads the rows, draws and stores the messages, one drawing of an operation at a time: every change of a row is
     * followed by a drawing, so the last drawing shows the last change. Drawings of the same moment share a commit.
     * Undefined if the operation does not exist.
     */
    put: (id: string, draw: DrawCard) => drawing.add({ id, draw }),
  };
}
