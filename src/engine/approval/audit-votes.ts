import type { VoteRow } from '../../store/records/votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';

/** Records votes in the audit, each once: a process killed after it counted a vote leaves this to whoever counts next. */
export async function auditVotes(
  context: Pick<EngineContext, 'audit'>,
  operation: Operation,
  votes: readonly Pick<VoteRow, 'userId' | 'vote' | 'at'>[],
): Promise<void> {
  for (const { userId, vote, at } of votes)
    await context.audit({
      ...entryOf(operation),
      kind: 'vote',
      actor: userId,
      text: `${vote === 'confirm' ? 'confirmed' : 'approved'}: ${operation.plan.title}`,
      data: { solo: operation.isSolo && userId === operation.requester, at },
      unlessThere: 'same',
    });
}
