import { z } from 'zod';
import type { Store } from '../../../src/store/database.ts';
import type { OperationRow } from '../../../src/store/records/operation-row.ts';

type Rows = Pick<Store, 'messages'>;
/** The view of a message as JSON; undefined while the message is missing. */
type FindView = (key: string) => Promise<string | undefined>;

const viewIn =
  ({ messages }: Rows): FindView =>
  async (key) =>
    (await messages.find(key))?.view;

/** False if the card alone has the end: the requester withdrew the request before it began. */
export function needsReply({ state, outcome, requester }: OperationRow): boolean {
  return state !== 'withdrawn' || (z.object({ by: z.string() }).safeParse(outcome).data?.by ?? requester) !== requester;
}

/** The messages that announce the end; undefined until they are stored. */
export async function messagesOfEnd(
  rows: Rows,
  row: OperationRow,
  viewOf = viewIn(rows),
): Promise<readonly string[] | undefined> {
  const card = `card:${row.id}`;
  if (!needsReply(row)) return [card];
  const reply = `end:${row.id}`;
  return (await viewOf(reply)) === undefined ? undefined : [card, reply];
}
