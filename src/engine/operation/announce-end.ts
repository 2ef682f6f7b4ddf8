import type { OperationState } from '../../core/operation.ts';
import type { AuditEntry } from '../../store/audit-lines.ts';
import type { VoteRow } from '../../store/votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { cardMessage } from './create.ts';
import { endReply } from './end-words.ts';
import { entryOf } from './entry-of.ts';
import { type Operation, readOperationOrRest, readStepOrRest } from './record.ts';
import { isOverheard, threadMessages } from './thread.ts';
import { postToWidenedChannels } from './widened.ts';

/** The person who asked ended it with a click of their own; the card says so. */
const quietEnds: readonly OperationState[] = ['withdrawn'];

/** Kinds of audit entries of an end: an end before anything was sent has a kind of its own, any other is `ended`. */
const unsent: readonly string[] = ['declined', 'expired', 'withdrawn', 'refused'] satisfies OperationState[];
const endKinds = [...unsent, 'ended'];

/**
 * Does everything that follows from an end: the line in the audit, the card, the reply in the thread, the release of
 * the locks. Idempotent, since it is repeated after a crash.
 */
export async function announceEnd(context: EngineContext, operation: Operation): Promise<void> {
  const { id, channel } = operation;
  const [overheard] = await Promise.all([
    isOverheard(context, channel),
    context.store.locks.release(id),
    context.audit(endEntry(operation)),
  ]);
  if (operation.state === 'done' || operation.state === 'unverified')
    await postToWidenedChannels(context, operation, 'done');
  await context.outbox.putCard(id, (rows) => {
    const now = readOperationOrRest(rows.operation);
    const reply = () => endReply(now, rows.steps.map(readStepOrRest), isNews(now, rows.votes));
    return [
      cardMessage(context, rows, { isOverheard: overheard }),
      ...(quietEnds.includes(now.state) ? [] : threadMessages(context, now, `end:${id}`, reply(), overheard)),
    ];
  });
}

/** The person who clicked last is taken to look at the card for so long. */
const stillLooksMs = 30_000;

function isNews({ state, requester, createdAt, endedAt }: Operation, votes: readonly VoteRow[]): boolean {
  if (state !== 'done') return true;
  const [last] = votes.filter(({ isVoid }) => !isVoid).toSorted((a, b) => b.at - a.at);
  if (last !== undefined && last.userId !== requester) return true;
  return (endedAt ?? 0) - (last?.at ?? createdAt) > stillLooksMs;
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
