import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes, countVotes, isDecided } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';

/**
 * Records the votes and, if they are enough, approves the request: true then. It is decided since its last vote, not
 * since now: a machine that sleeps in between, or a process that is killed there, is an absence like any other.
 */
export async function decide(
  context: Pick<EngineContext, 'accessOf' | 'audit' | 'store'>,
  operation: Operation,
  all: readonly VoteRow[],
): Promise<boolean> {
  const votes = countingVotes(all);
  // All of them: the process that counted an earlier one may have been killed before its line in the audit.
  await auditVotes(context, operation, votes);
  if (!isDecided(operation, await countVotes(context, operation, votes))) return false;
  const decidedAt = Math.max(...votes.map(({ at }) => at));
  await context.store.operations.move(operation.id, 'waiting', 'approved', { decidedAt });
  return true;
}

/** Audits each vote once. After a process was killed between counting and auditing, the next count writes the missing rows. */
async function auditVotes(
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
