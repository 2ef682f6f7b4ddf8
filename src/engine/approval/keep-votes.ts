import { countingVotes, voterOf } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { freshMs } from '../context/time-limits.ts';
import { needsName } from '../operation/card.ts';
import { redraw } from '../operation/create.ts';
import type { Operation } from '../operation/record.ts';
import { mayVote } from '../operation/vote-rules.ts';

/**
 * Copies the approvals that still count to the same request under a stricter rule, and returns their number. The next
 * turn of that request audits them.
 */
export async function keepVotes(context: EngineContext, from: Operation, to: Operation): Promise<number> {
  const { votes } = context.store;
  // The approvers of the first request did not type the name.
  if (needsName(to.rule) && !needsName(from.rule)) return 0;
  let kept = 0;
  for (const { userId, vote, at } of countingVotes(await votes.list(from.id))) {
    if (vote !== 'approve' || !mayVote(to, await voterOf(context, to, userId, freshMs)).ok) continue;
    await votes.cast({ operationId: to.id, userId, vote, at });
    kept += 1;
  }
  if (kept === 0) return 0;
  await redraw(context, to.id);
  context.wake(to.id);
  return kept;
}
