import { isGlassBroken } from '../../core/plan/broken-glass.ts';
import { notice } from '../../core/view/view.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes, isDecided } from '../access/count-votes.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { answerWithinMs } from '../context/time-limits.ts';
import { redraw } from '../operation/create.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import type { Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';
import { recordVotes, votesOfNow } from '../operation/votes.ts';
import { announceGlass } from './announce-glass.ts';
import { reopenNotices } from './notices.ts';

/**
 * Audits the votes and, if they are enough, approves the request and returns true. The time of the decision is that of
 * the last vote, not the present: a machine that sleeps or a process killed in between then counts as an absence.
 */
export async function decide(context: EngineContext, operation: Operation, all: readonly VoteRow[]): Promise<boolean> {
  const votes = countingVotes(all);
  await recordVotes(context, operation, votes);
  const glass = isGlassBroken(operation) ? operation.glass : null;
  // The others know before it begins.
  if (glass !== null) await announceGlass(context, operation, glass);
  else if (!isDecided(operation.rule, votes)) return false;
  const decidedAt = glass?.at ?? Math.max(...votes.map(({ at }) => at));
  await context.store.operations.move(operation.id, 'waiting', 'approved', { decidedAt });
  return true;
}

/**
 * Returns the card to `waiting` if a vote no longer counts. The stored rows decide, not the votes that this turn
 * voided: an earlier turn may have been killed after voiding a vote and before the notification. `unsure` if Slack did
 * not answer.
 */
export async function reopen(context: EngineContext, operation: Operation): Promise<'yes' | 'no' | 'unsure'> {
  if (operation.rule === 'none') return 'no';
  const { votes, isEnough, isUnsure } = await votesOfNow(context, operation);
  if (isEnough) return 'no';
  if (isUnsure) return 'unsure';
  if (operation.when.kind === 'run') {
    const gone = votes.find(({ isVoid }) => isVoid);
    const why =
      gone === undefined
        ? reasons.standingEnded
        : reasons.voidApproval(await personName(context, gone.userId), gone.why ?? 'they may not approve this now');
    await refuse(context, operation, 'not_granted', ends.notRun(why));
    return 'yes';
  }
  for (const { userId, why } of votes.filter((vote) => vote.isVoid)) {
    const words = ` no longer counts: ${why ?? 'they may not approve this now'}. The request waits again.`;
    const view = notice('warning', ['The approval of ', { user: userId }, words]);
    await notifyThread(context, operation, `void:${operation.id}:${userId}`, view);
  }
  // An operation that waits for people holds no locks; an earlier turn may have acquired some.
  await context.store.locks.release(operation.id, context.owner);
  // The time to decide ended at the hour, so the approvers get another.
  const again = operation.startsAt === null ? {} : { expiresAt: context.now() + answerWithinMs };
  await context.store.operations.move(operation.id, 'approved', 'waiting', { delayWhy: null, readyAt: null, ...again });
  await redraw(context, operation.id);
  await reopenNotices(context, operation);
  return 'yes';
}
