import type { VoteRow } from '../../store/votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';

/** Records a vote in the audit, once: a process killed after it counted the vote leaves this to the next one. */
export async function auditVote(
  context: Pick<EngineContext, 'audit'>,
  operation: Operation,
  { userId, vote, at }: Pick<VoteRow, 'userId' | 'vote' | 'at'>,
): Promise<void> {
  await context.audit({
    ...entryOf(operation),
    kind: 'vote',
    actor: userId,
    text: `${vote === 'confirm' ? 'confirmed' : 'approved'}: ${operation.plan.title}`,
    data: { solo: operation.isSolo && userId === operation.requester, at },
    unlessThere: 'same',
  });
}
