import type { OperationState } from '../../core/plan/operation.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { stillLooksMs } from '../context/time-limits.ts';
import { cardMessage } from './create.ts';
import { endCutOff, replacementSeed } from './end.ts';
import { endReply } from './ends.ts';
import { recordEntry } from './entry-of.ts';
import { type Operation, readOperationLeniently, readStepLeniently } from './read-operation.ts';
import { isOverheard, postToWidenedChannels, threadMessages } from './thread.ts';

/** States that are audit kinds themselves: nothing was sent before the end. Any other end has the kind `ended`. */
const unsent = ['declined', 'expired', 'withdrawn', 'refused'] as const satisfies OperationState[];

/**
 * Announces an end: writes the audit entry, redraws the card, replies in its thread, marks the alerts about its targets
 * and releases the locks. Idempotent, since it is repeated after a crash.
 */
export async function announceEnd(context: EngineContext, operation: Operation): Promise<void> {
  const { id, channel } = operation;
  const [overheard, isMentioned] = await Promise.all([
    isOverheard(context, channel),
    wantsEndMention(context, operation),
    context.store.locks.release(id, context.owner),
    recordEnd(context, operation),
    // A killed process may have recorded a new request in its place that was never created; the operation may then have
    // ended in another way.
    endCutOff(context, replacementSeed(id)),
  ]);
  if (operation.state === 'done' || operation.state === 'unverified')
    await postToWidenedChannels(context, operation, 'done');
  await context.outbox.putCard(id, (rows) => {
    const now = readOperationLeniently(rows.operation);
    const shown = cardMessage(context, rows, { isOverheard: overheard });
    // The card shows that the requester withdrew it, so the thread gets no reply.
    if (now.state === 'withdrawn' && (now.endedBy ?? now.requester) === now.requester) return [shown];
    const isNews = isMentioned && !isSeenAtOnce(now, rows.votes);
    const reply = endReply(now, rows.steps.map(readStepLeniently), isNews);
    return [shown, ...threadMessages(context, now, `end:${id}`, reply, overheard)];
  });
  await context.alerts.attempted(operation);
}

/**
 * True if the operation was done while the requester, who clicked last, still watched the card: the reply needs no
 * mention. After a lost response in the thread, it always needs one.
 */
function isSeenAtOnce(operation: Operation, votes: readonly VoteRow[]): boolean {
  const { state, requester, createdAt, endedAt, stopBy, wasLost, glass } = operation;
  if (state !== 'done' || wasLost || (stopBy ?? glass?.by ?? requester) !== requester) return false;
  const [last] = votes.filter(({ isVoid }) => !isVoid).toSorted((a, b) => b.at - a.at);
  if (last !== undefined && last.userId !== requester) return false;
  return (endedAt ?? 0) - (last?.at ?? createdAt) <= stillLooksMs;
}

function recordEnd(context: EngineContext, operation: Operation): Promise<boolean> {
  const { state, endText, endedBy, requester } = operation;
  const kind = unsent.find((own) => own === state) ?? 'ended';
  return recordEntry(context, operation, kind, endText ?? state, {
    actor: endedBy ?? requester,
    unlessThere: [...unsent, 'ended'],
    ...(kind === 'ended' && { data: { end: state } }),
  });
}
