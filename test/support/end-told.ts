import { readOperationOrRest } from '../../src/engine/operation/record.ts';
import type { Store } from '../../src/store/database.ts';
import type { OperationRow } from '../../src/store/operation-row.ts';

type Rows = Pick<Store, 'messages' | 'steps' | 'votes'>;
/** The view of a message as JSON; undefined while there is none. */
type FindView = (key: string) => Promise<string | undefined>;

const looksMs = 30_000;

const viewIn =
  ({ messages }: Rows): FindView =>
  async (key) =>
    (await messages.find(key))?.view;

/** False where the card alone tells the end: the person who asked ended it, or clicked last and saw it done. */
export async function needsReply(rows: Rows, row: OperationRow, viewOf = viewIn(rows)): Promise<boolean> {
  if (row.state === 'withdrawn') return false;
  const counting = (await rows.votes.list(row.id)).filter(({ isVoid }) => !isVoid);
  const last = counting.toSorted((a, b) => b.at - a.at)[0] ?? { userId: row.requester, at: row.createdAt };
  if (row.state !== 'done' || last.userId !== row.requester) return true;
  if ((row.endedAt ?? 0) - last.at > looksMs) return true;
  // A process that is killed between storing that the answer was lost and saying so says it in the reply alone.
  if (readOperationOrRest(row).wasLost) return true;
  for (const { n } of await rows.steps.list(row.id)) if (await viewOf(`lost:${row.id}:${n}`)) return true;
  return false;
}

/** Names the messages that tell the end, once they are put; undefined before. */
export async function messagesOfEnd(
  rows: Rows,
  row: OperationRow,
  viewOf = viewIn(rows),
): Promise<readonly string[] | undefined> {
  const card = `card:${row.id}`;
  if (row.state === 'withdrawn') return [card];
  const reply = `end:${row.id}`;
  if ((await viewOf(reply)) !== undefined) return [card, reply];
  if (await needsReply(rows, row, viewOf)) return undefined;
  return (await viewOf(card))?.includes(JSON.stringify(row.endText).slice(1, -1)) === true ? [card] : undefined;
}
