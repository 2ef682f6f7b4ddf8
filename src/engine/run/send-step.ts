import { randomUUID } from 'node:crypto';
import { hadNoEffect, ProviderError, Refusal } from '../../core/errors.ts';
import type { Receipt } from '../../core/plan.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { sayProviderError } from '../operation/error-view.ts';
import { doingOf, type Operation, type OperationStep } from '../operation/record.ts';
import { keepSecret } from '../operation/secrets.ts';
import { markLost } from './lost-answer.ts';
import type { StepWatcher } from './step-watcher.ts';

/** The only door to the provider: `pending → running` opens once, and what comes back is written down before anything else. */
export async function sendStep(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  watcher: StepWatcher,
): Promise<void> {
  const { store, commands, accountReader, log } = context;
  const command = commands.find((known) => known.path === operation.command);
  if (command?.kind !== 'action') throw new Error(`no action ${operation.command}`);
  const closed = command.step(step.data);
  await context.audit({
    kind: 'call',
    actor: operation.requester,
    channel: operation.channel,
    operation: operation.id,
    text: step.label === '' ? operation.plan.title : `${operation.plan.title}: ${step.label}`,
    data: { step: step.n },
    unlessThere: 'same',
  });
  if (!(await store.steps.move(operation.id, step.n, 'pending', 'running', { attempt: randomUUID() }))) return;

  const asking = { actor: operation.requester, channel: operation.channel, thread: operation.thread ?? undefined };
  let receipt: Receipt;
  try {
    receipt = await closed.execute(context.writeContext(asking, operation.id));
  } catch (error) {
    accountReader.invalidate();
    const doing = doingOf(operation, step);
    if (hadNoEffect(error) && error instanceof ProviderError) {
      await store.steps.move(operation.id, step.n, 'running', 'failed', { note: sayProviderError(doing, error) });
      return;
    }
    if (error instanceof Refusal) {
      await store.steps.move(operation.id, step.n, 'running', 'failed', {
        note: [error.message, error.hint].filter(Boolean).join(' '),
      });
      return;
    }
    if (!(error instanceof ProviderError))
      log.error({ err: error, operation: operation.id }, `${doing}: a bug of ours`);
    await markLost(context, operation, step, error instanceof ProviderError ? error.words : 'an error on my side');
    return;
  }
  accountReader.invalidate();
  if (receipt.secret) await keepSecret(context, operation, step, receipt.secret);
  const { secret: _, ...kept } = receipt;
  const follow = closed.follow(kept);
  const job = follow?.kind === 'job' ? { orderId: follow.orderId, jobId: follow.jobId, action: follow.action } : null;
  const isTaken = await store.steps.move(operation.id, step.n, 'running', 'accepted', {
    receipt: { text: kept.text, data: kept.data },
    job,
  });
  if (!isTaken)
    log.error(
      { operation: operation.id, step: step.n, receipt: kept.text },
      `${doingOf(operation, step)}: the answer came after it was given up as lost`,
    );
  if (follow === undefined) await store.steps.move(operation.id, step.n, 'accepted', 'verifying');
  watcher.arm(operation.id, step.n);
}
