import { createBatcher } from '../batcher.ts';
import { textList } from '../columns.ts';
import type { Context } from '../dialect.ts';
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

/** The messages as they are to stand now; undefined leaves them as they are. */
export type DrawCard = (rows: CardRows) => readonly NewMessage[] | undefined;

interface Drawing {
  readonly id: string;
  readonly draw: DrawCard;
}

interface Drawn {
  readonly operation: OperationRow;
  readonly isChanged: boolean;
}

export type Cards = ReturnType<typeof createCards>;

/** The messages of an operation, drawn from its rows. */
export function createCards(context: Context) {
  const { db, dialect } = context;
  const store = createMessageStore(context);
  const drawing = createBatcher(
    (drawings: Drawing[]) => db.transaction().execute((transaction) => drawAll(transaction, drawings)),
    { maxItems: 50 },
  );

  async function drawAll(transaction: Context['db'], drawings: readonly Drawing[]): Promise<(Drawn | undefined)[]> {
    const ids = textList(drawings.map(({ id }) => id));
    const rows = await transaction
      .selectFrom('operations')
      .selectAll()
      .where(dialect.isAmong('id', ids))
      .orderBy('id')
      .$if(dialect.hasRowLocks, (query) => query.forUpdate())
      .execute();
    const isTheirs = dialect.isAmong('operationId', ids);
    const steps = await transaction.selectFrom('steps').selectAll().where(isTheirs).orderBy('n').execute();
    const votes = await transaction
      .selectFrom('votes')
      .selectAll()
      .where(isTheirs)
      .orderBy('at')
      .orderBy('userId')
      .execute();
    const known = new Map(
      rows.map((row): [string, CardRows] => [
        row.id,
        {
          operation: toOperation(row),
          steps: steps.filter(({ operationId }) => operationId === row.id).map(toStep),
          votes: votes.filter(({ operationId }) => operationId === row.id).map(toVote),
        },
      ]),
    );
    const drawn = drawings.map(({ id, draw }) => {
      const found = known.get(id);
      return found && { operation: found.operation, messages: draw(found) ?? [] };
    });
    // All are drawn from the same rows: the same message twice looks the same.
    const messages = new Map(drawn.flatMap((one) => one?.messages.map((message) => [message.key, message]) ?? []));
    const changed = new Set(await store.putAll([...messages.values()], transaction));
    return drawn.map(
      (one) => one && { operation: one.operation, isChanged: one.messages.some(({ key }) => changed.has(key)) },
    );
  }

  return {
    /**
     * Reads the rows, draws and puts, one drawing of an operation at a time: every change of a row is followed by a
     * drawing, so the last drawing shows the last change. Those that are drawn at the same moment share a commit.
     * Undefined when there is no such operation.
     */
    put: (id: string, draw: DrawCard): Promise<Drawn | undefined> => drawing.add({ id, draw }),
  };
}
