import { randomBytes } from 'node:crypto';
import { type OperationState, type StepState, timedStates } from '../../core/plan/operation.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { end } from '../operation/end.ts';
import { abandoned, ends, notes, reasons } from '../operation/ends.ts';
import { readOperationLeniently } from '../operation/read-operation.ts';

/** The transitions that take a step from each state to the end that can be proved. */
const waysOut: Readonly<Partial<Record<StepState, readonly StepState[]>>> = {
  pending: ['skipped'],
  running: ['reading', 'unknown'],
  reading: ['unknown'],
  accepted: ['unverified'],
  verifying: ['unverified'],
  answering: ['unverified'],
};

/** Nothing is sent in these states. */
const isBefore: readonly OperationState[] = ['waiting', 'approved', ...timedStates];

/**
 * Ends an operation whose turns always fail, for example because an upgrade cannot read its row. Left open, it would
 * lock its targets forever. The end text names the bot as the cause.
 */
export async function abandon(context: EngineContext, id: string, error: unknown): Promise<void> {
  const { store, log } = context;
  const row = await store.operations.find(id);
  if (row === undefined) return;
  const incident = randomBytes(4).toString('hex');
  log.error({ err: error, operation: id, incident }, 'operation abandoned: all of its turns failed');
  if (isBefore.includes(row.state)) {
    const endText = ends.notRun(reasons.fault(incident));
    await end(context, row, row.state, 'refused', { endReason: 'impossible', endText });
    return;
  }
  let wasSent = false;
  for (const step of await store.steps.list(id)) {
    let from = step.state;
    for (const to of waysOut[step.state] ?? []) {
      await store.steps.move(id, step.n, from, to, to === 'reading' ? { note: notes.lost('') } : {});
      from = to;
    }
    wasSent ||= from !== 'skipped';
  }
  const { title } = readOperationLeniently(row).plan;
  await end(context, row, ['running', 'reading'], wasSent ? 'unknown' : 'failed', {
    endText: abandoned[wasSent ? 'sent' : 'notSent'](title, incident),
  });
}
