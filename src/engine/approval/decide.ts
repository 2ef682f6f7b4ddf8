import { isGlassBroken } from '../../core/plan/glass.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes, isDecided } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { end } from '../operation/end.ts';
import { ends } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { announceGlass } from './announce-glass.ts';

/**
 * Audits the votes and, if they are enough, approves the request and returns true. The time of the decision is that of
 * the last vote, not the present: a machine that sleeps or a process killed in between then counts as an absence.
 */
export async function decide(context: EngineContext, operation: Operation, all: readonly VoteRow[]): Promise<boolean> {
  const votes = countingVotes(all);
  // Each vote once, and all of them: the process that stored an earlier one may have been killed before its audit entry.
  for (const { userId, vote, at } of votes) {
    const done = `${vote === 'confirm' ? 'confirmed' : 'approved'}: ${operation.plan.title}`;
    const data = { solo: operation.isSolo && userId === operation.requester, at };
    await recordEntry(context, operation, 'vote', done, { actor: userId, data, unlessThere: 'same' });
  }
  if (operation.glass !== null && isGlassBroken(operation)) {
    // The others know before it begins.
    await announceGlass(context, operation, operation.glass);
    await context.store.operations.move(operation.id, 'waiting', 'approved', { decidedAt: operation.glass.at });
    return true;
  }
  if (!isDecided(operation.rule, votes)) return false;
  const decidedAt = Math.max(...votes.map(({ at }) => at));
  await context.store.operations.move(operation.id, 'waiting', 'approved', { decidedAt });
  return true;
}

/** Ends the request and returns true if its time to decide has passed. */
export async function expire(
  context: Pick<EngineContext, 'meter' | 'now' | 'store'>,
  operation: Operation,
): Promise<boolean> {
  if ((operation.expiresAt ?? 0) > context.now()) return false;
  await end(context, operation, 'waiting', 'expired', { endText: ends.expired(operation.rule) });
  return true;
}
