import type { OperationState } from '../../core/operation.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { endReply } from './card.ts';
import { cardMessage } from './create.ts';
import { type Operation, readOperationOrRest, readStepOrRest } from './record.ts';
import { isOverheard, threadMessages } from './thread.ts';
import { tellWidened } from './widened.ts';

/** The person who asked ended it with a click of their own; the card says so. */
const quietEnds: readonly OperationState[] = ['withdrawn'];

/** Kinds of audit entries of an end: an end before anything was sent has a kind of its own, any other is `ended`. */
const unsent: readonly string[] = ['declined', 'expired', 'withdrawn', 'refused'] satisfies OperationState[];
const endKinds = [...unsent, 'ended'];

/** Everything an end owes: its line in the audit, the card, the reply in the thread, the locks. Idempotent: a crash repeats it. */
export async function announceEnd(context: EngineContext, operation: Operation): Promise<void> {
  const { id, channel } = operation;
  const [overheard] = await Promise.all([
    isOverheard(context, channel),
    context.store.locks.release(id),
    context.audit(endEntry(operation)),
  ]);
  if (operation.state === 'done' || operation.state === 'unverified') await tellWidened(context, operation, 'done');
  await context.outbox.putCard(id, (rows) => {
    const now = readOperationOrRest(rows.operation);
    const reply = () => endReply(now, rows.steps.map(readStepOrRest));
    return [
      cardMessage(context, rows, overheard),
      ...(quietEnds.includes(now.state) ? [] : threadMessages(context, now, `end:${id}`, reply(), overheard)),
    ];
  });
}

function endEntry({ id, channel, requester, state, endText, endedBy }: Operation): AuditEntry {
  const isUnsent = unsent.includes(state);
  return {
    kind: isUnsent ? state : 'ended',
    actor: endedBy ?? requester,
    channel,
    operation: id,
    text: endText ?? state,
    ...(isUnsent ? {} : { data: { end: state } }),
    unlessThere: endKinds,
  };
}
