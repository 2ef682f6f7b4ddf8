import { aside } from '../../core/async/aside.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { stillLooksMs } from '../context/time-limits.ts';
import { cardMessage } from './create.ts';
import { endCutOff, wishAnew } from './cut-off.ts';
import { endReply } from './ends.ts';
import { entryOf } from './entry-of.ts';
import { type Operation, readOperationOrRest, readStepOrRest } from './record.ts';
import { isOverheard, threadMessages } from './thread.ts';
import { postToWidenedChannels } from './widened.ts';

/** Kinds of audit entries of an end: an end before anything was sent has a kind of its own, any other is `ended`. */
const unsent: readonly string[] = ['declined', 'expired', 'withdrawn', 'refused'] satisfies OperationState[];
const endKinds = [...unsent, 'ended'];

/**
 * Does everything that follows from an end: the line in the audit, the card, the one reply in its thread, the release of
 * the locks. Idempotent, since it is repeated after a crash.
 */
export async function announceEnd(context: EngineContext, operation: Operation): Promise<void> {
  const { id, channel } = operation;
  const [overheard, isMentioned] = await Promise.all([
    isOverheard(context, channel),
    wantsEndMention(context, operation),
    context.store.locks.release(id),
    context.audit(endEntry(operation)),
    // A process that was killed while it asked anew left that in the audit; this one may have ended in another way.
    endCutOff(context, wishAnew(id)),
  ]);
  if (operation.state === 'done' || operation.state === 'unverified')
    await postToWidenedChannels(context, operation, 'done');
  aside(context.alerts.attempted(operation), context.log, 'showing the end of a request on alerts');
  await context.outbox.putCard(id, (rows) => {
    const now = readOperationOrRest(rows.operation);
    const shown = cardMessage(context, rows, { isOverheard: overheard });
    if (isTakenBack(now)) return [shown];
    const isNews = isMentioned && !isSeenAtOnce(now, rows.votes);
    const reply = endReply(now, rows.steps.map(readStepOrRest), isNews);
    return [shown, ...threadMessages(context, now, `end:${id}`, reply, overheard)];
  });
}

/** The requester ended it with a click of their own before anything began; the card says so. */
function isTakenBack({ state, endedBy, requester }: Operation): boolean {
  return state === 'withdrawn' && (endedBy ?? requester) === requester;
}

/**
 * It was done while the requester, who clicked last, still looked at it: the reply needs no mention. Once the thread said
 * that nobody knows how it ended, it does.
 */
function isSeenAtOnce(operation: Operation, votes: readonly VoteRow[]): boolean {
  const { state, requester, createdAt, endedAt, stopBy, wasLost } = operation;
  if (state !== 'done' || wasLost || (stopBy ?? requester) !== requester) return false;
  const [last] = votes.filter(({ isVoid }) => !isVoid).toSorted((a, b) => b.at - a.at);
  if (last !== undefined && last.userId !== requester) return false;
  return (endedAt ?? 0) - (last?.at ?? createdAt) <= stillLooksMs;
}

function endEntry(operation: Operation): AuditEntry {
  const { state, endText, endedBy, requester } = operation;
  const isUnsent = unsent.includes(state);
  return {
    ...entryOf(operation),
    kind: isUnsent ? state : 'ended',
    actor: endedBy ?? requester,
    text: endText ?? state,
    ...(isUnsent ? {} : { data: { end: state } }),
    unlessThere: endKinds,
  };
}
