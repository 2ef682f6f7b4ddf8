import { lostWords } from './card.ts';
import type { Kit } from './kit.ts';
import { redraw } from './propose.ts';
import type { Operation, OperationStep } from './records.ts';
import { endSentence, notice } from './say.ts';
import { tellInThread } from './thread.ts';

/** `running → reading`: the provider may have it or not. Told at once in the thread. */
export async function markLost(kit: Kit, operation: Operation, step: OperationStep, why: string): Promise<void> {
  const note = endSentence(`the answer was lost${why === '' ? '' : ` (${why})`}`);
  const isLost = await kit.deps.store.steps.move(operation.id, step.n, 'running', 'reading', { note });
  if (isLost) await tellLost(kit, operation, { ...step, note });
}

/** Idempotent: a turn tells it again of every step that is read, since a crash may have cut off the telling. */
export async function tellLost(kit: Kit, operation: Operation, step: OperationStep): Promise<void> {
  const { n, note } = step;
  await kit.audit({
    kind: 'lost',
    actor: operation.requester,
    channel: operation.channel,
    operation: operation.id,
    text: `${operation.plan.title}: ${note ?? ''}`,
    data: { step: n },
    unlessThere: 'same',
  });
  await kit.deps.store.operations.move(operation.id, 'running', 'reading');
  await tellInThread(kit, operation, `lost:${operation.id}:${n}`, notice('warning', lostWords(operation, [step])));
  await redraw(kit, operation.id);
}
