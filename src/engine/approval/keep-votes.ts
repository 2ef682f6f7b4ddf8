import { countingVotes, voterOf } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { freshMs } from '../context/time-limits.ts';
import { needsName } from '../operation/card.ts';
import { redraw } from '../operation/create.ts';
import type { Operation } from '../operation/record.ts';
import { mayVote } from '../operation/vote-rules.ts';

/**
 * Casts the approvals of a request again on the same request under a stricter rule, where each still counts. Returns how
 * many did. The next turn of that request audits them.
 */
export async function keepVotes(context: EngineContext, from: Operation, to: Operation): Promise<number> {
  const { votes } = context.store;
  // The approvers of the first request typed no name.
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
