import { mayApprove } from '../../core/evaluate.ts';
import type { Text } from '../../core/view.ts';
import type { VoteRow } from '../../store/votes.ts';
import { sayNames } from '../access/say-names.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';

/**
 * Slack sends a change to one replica only, so what decides about a run is read again; runs at the same time share the
 * read.
 */
export const freshMs = 10_000;

/** How many votes the rule asks for. */
export function votesNeeded(operation: Pick<Operation, 'rule'>): number {
  if (operation.rule === 'none') return 0;
  return operation.rule === 'confirm' ? 1 : operation.rule.approve;
}

export function countingVotes(votes: readonly VoteRow[]): VoteRow[] {
  return votes.filter((vote) => !vote.isVoid);
}

/**
 * Returns the votes after checking each again: the person may have left the group or the team, or lost the right,
 * since. Only a certain no makes one void; where Slack did not answer, the vote is left out and `isUnsure` says so.
 */
export async function votesOfNow(
  context: EngineContext,
  operation: Operation,
): Promise<{ readonly votes: readonly VoteRow[]; readonly isUnsure: boolean }> {
  const votes: VoteRow[] = [];
  let isUnsure = false;
  for (const vote of await context.store.votes.list(operation.id)) {
    if (vote.isVoid) {
      votes.push(vote);
      continue;
    }
    const access = await voterOf(context, operation, vote.userId, freshMs);
    const answer = mayVote(operation, access);
    if (answer.ok) votes.push(vote);
    else if (access.isUnsure) isUnsure = true;
    else votes.push(await makeVoid(context, operation, vote, await sayNames(context.directory, answer.because)));
  }
  return { votes, isUnsure };
}

async function makeVoid(context: EngineContext, operation: Operation, vote: VoteRow, why: string): Promise<VoteRow> {
  // The audit comes first: after a crash between the two the void vote is found, and recorded, again.
  await context.audit({
    ...entryOf(operation),
    kind: 'vote_void',
    actor: vote.userId,
    text: why,
    data: { vote: vote.at },
    unlessThere: 'same',
  });
  await context.store.votes.void(operation.id, vote.userId, why);
  return { ...vote, isVoid: true, why };
}

/** Reads the voter's groups. The rule of an operation may name groups that the policy of its channel does not. */
export function voterOf(
  context: Pick<EngineContext, 'accessOf'>,
  { rule, channel }: Operation,
  user: string,
  maxAgeMs?: number,
): Promise<Access> {
  const named = typeof rule === 'object' ? rule.by : [];
  const groups = named.filter((one) => one.startsWith('group:')).map((one) => one.slice('group:'.length));
  return context.accessOf(user, channel, maxAgeMs, groups);
}

/** Withdrawing is for the person who asked, and for admins. */
export function mayWithdraw({ requester }: Operation, user: string, admins: readonly string[]): boolean {
  return user === requester || admins.includes(user);
}

/** Approving needs to be named by the rule, or to be an admin; confirming is for who asked. */
export function mayVote(operation: Operation, voter: Access): { ok: true } | { ok: false; because: Text } {
  const answer = mayApprove(operation.rule, voter.actor, operation.requester, operation.isSolo);
  return answer.ok ? { ok: true } : { ok: false, because: answer.because };
}
