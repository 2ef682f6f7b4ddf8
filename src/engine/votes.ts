import { mayApprove } from '../core/evaluate.ts';
import { plain } from '../core/view.ts';
import type { VoteRow } from '../store/votes.ts';
import type { Footing } from './decide.ts';
import type { Kit } from './kit.ts';
import type { Operation } from './records.ts';

/** How many votes the rule asks for. */
export function votesNeeded(operation: Pick<Operation, 'rule'>): number {
  if (operation.rule === 'none') return 0;
  return operation.rule === 'confirm' ? 1 : operation.rule.approve;
}

export function countingVotes(votes: readonly VoteRow[]): VoteRow[] {
  return votes.filter((vote) => !vote.isVoid && (vote.vote === 'confirm' || vote.vote === 'approve'));
}

/** Looks at every vote again, as of now: a person may have left the group, the team or their right since. */
export async function voidStaleVotes(
  kit: Kit,
  operation: Operation,
): Promise<{ readonly user: string; readonly why: string }[]> {
  const votes = countingVotes(await kit.deps.store.votes.list(operation.id));
  const gone: { user: string; why: string }[] = [];
  for (const vote of votes) {
    const voter = await kit.footing(vote.userId, operation.channel);
    const answer = mayVote(operation, voter);
    if (answer.ok) continue;
    await kit.deps.store.votes.void(operation.id, vote.userId, answer.why);
    gone.push({ user: vote.userId, why: answer.why });
  }
  return gone;
}

/** Approving needs to be named by the rule, or to be an admin; confirming is for who asked. */
export function mayVote(operation: Operation, voter: Footing): { ok: true } | { ok: false; why: string } {
  const answer = mayApprove(operation.rule, voter.actor, operation.requester, operation.isSolo);
  return answer.ok ? answer : { ok: false, why: plain(answer.because) };
}
