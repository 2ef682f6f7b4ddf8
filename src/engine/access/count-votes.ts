import { type Rule, subjectId } from '../../core/policy/policy.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

export function countingVotes(votes: readonly VoteRow[]): VoteRow[] {
  return votes.filter((vote) => !vote.isVoid);
}

/** True if the votes suffice. */
export function isDecided(rule: Rule, votes: readonly VoteRow[]): boolean {
  if (rule === 'none') return true;
  return countingVotes(votes).length >= (rule === 'confirm' ? 1 : rule.approve);
}

/** Returns the voter's access, with groups that the rule of the operation names and the channel's policy does not. */
export function voterOf(
  context: Pick<EngineContext, 'accessOf'>,
  { rule, channel }: { readonly rule: Rule; readonly channel: string },
  user: string,
  maxAgeMs?: number,
): Promise<Access> {
  const named = typeof rule === 'object' ? rule.by : [];
  const groups = named.filter((subject) => subject.startsWith('group:')).map(subjectId);
  return context.accessOf(user, channel, maxAgeMs, groups);
}
