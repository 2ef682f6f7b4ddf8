import { isEnd } from '../../core/plan/operation.ts';
import { Refusal } from '../../core/view/errors.ts';
import { closedWords } from '../approval/vote.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from '../operation/announce-end.ts';
import { type Operation, readOperation, readOperationLeniently } from '../operation/record.ts';
import { mayWithdraw } from '../operation/vote-rules.ts';

/** Returns the request to replace, which must be waiting and which this person may withdraw. */
export async function mustBeReplaceable(
  { store, settings }: Pick<EngineContext, 'settings' | 'store'>,
  id: string,
  actor: string,
): Promise<Operation> {
  const row = await store.operations.find(id);
  if (row === undefined) throw new Refusal('closed', 'This request is no longer available.');
  const operation = readOperation(row);
  if (operation.state !== 'waiting') throw new Refusal('closed', closedWords(operation));
  if (!mayWithdraw(operation, actor, settings.admins)) {
    throw new Refusal('not_yours', 'Only the person who asked, or an admin, can replace this request.', {
      hint: 'Nothing was requested. It still waits for a decision.',
    });
  }
  return operation;
}

/**
 * Announces the end of a replaced request. Its row ended in the commit that created the new one; if this process is
 * killed, a turn announces it.
 */
export async function announceReplaced(context: EngineContext, id: string | undefined): Promise<void> {
  const row = id === undefined ? undefined : await context.store.operations.find(id);
  if (row === undefined || !isEnd(row.state)) return;
  await announceEnd(context, readOperationLeniently(row));
  context.wake(row.id);
}
