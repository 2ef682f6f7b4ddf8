import type { Demand } from '../../core/policy/demands.ts';
import { mayApprove } from '../../core/policy/evaluate.ts';
import type { Rule } from '../../core/policy/policy.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The part of a request that votes depend on. */
interface Voted {
  readonly channel: string;
  readonly demands: readonly Demand[];
  readonly requester: string;
}

export function countingVotes(votes: readonly VoteRow[]): VoteRow[] {
  return votes.filter((vote) => !vote.isVoid);
}

/**
 * The channels for whose demands each voter's approval counts, by voter: for every demand that names the voter as
 * approver.
 */
export type Counted = ReadonlyMap<string, readonly string[]>;

/** The number of approvals of a demand. */
export function castFor({ channel }: Pick<Demand, 'channel'>, counted: Counted): number {
  return [...counted.values()].filter((channels) => channels.includes(channel)).length;
}

/** True if the votes suffice. */
export function isDecided(
  { rule, demands }: { readonly rule: Rule; readonly demands: readonly Demand[] },
  counted: Counted,
): boolean {
  if (rule === 'none') return true;
  if (rule === 'confirm') return counted.size > 0;
  return demands.every((demand) => castFor(demand, counted) >= demand.rule.approve);
}

/** Determines the demands for which each vote counts. With one demand, every vote counts, without a lookup. */
export async function countVotes(
  context: Pick<EngineContext, 'accessOf'>,
  operation: Voted,
  votes: readonly VoteRow[],
): Promise<Counted> {
  const channels = operation.demands.map(({ channel }) => channel);
  const counted = countingVotes(votes).map(async ({ userId }): Promise<[string, readonly string[]]> => {
    if (channels.length < 2) return [userId, channels];
    return [userId, channelsOf(operation, await voterOf(context, operation, userId))];
  });
  return new Map(await Promise.all(counted));
}

/** The channels for which this person may approve the request. */
export function channelsOf({ demands, requester }: Voted, { actor }: Access): readonly string[] {
  return demands
    .filter(({ rule, isSolo }) => mayApprove(rule, actor, requester, isSolo).ok)
    .map(({ channel }) => channel);
}

/**
 * Returns the voter's access, including groups that the rule of the operation names and the channel's policy does not.
 */
export function voterOf(
  context: Pick<EngineContext, 'accessOf'>,
  { demands, channel }: Pick<Voted, 'demands' | 'channel'>,
  user: string,
  maxAgeMs?: number,
): Promise<Access> {
  const named = demands.flatMap(({ rule }) => rule.by);
  const groups = named
    .filter((subject) => subject.startsWith('group:'))
    .map((subject) => subject.slice('group:'.length));
  return context.accessOf(user, channel, maxAgeMs, groups);
}
