import { randomBytes } from 'node:crypto';
import type { StepState } from '../../core/plan/operation.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { end } from '../operation/end.ts';
import { abandoned, ends, notes, reasons } from '../operation/ends.ts';
import { readOperationOrRest } from '../operation/record.ts';

/** The transitions from each state of a step to an end that claims no more than is known. */
const waysOut: Readonly<Partial<Record<StepState, readonly StepState[]>>> = {
  pending: ['skipped'],
  running: ['reading', 'unknown'],
  reading: ['unknown'],
  accepted: ['unverified'],
  verifying: ['unverified'],
};

/**
 * Ends an operation whose turns always fail, as after an upgrade that cannot read an older row: it must not stay open
 * for ever and lock its targets. The end says that the fault is the bot's.
 */
export async function abandon(
  context: Pick<EngineContext, 'log' | 'meter' | 'store'>,
  id: string,
  error: unknown,
): Promise<void> {
  const { store, log } = context;
  const row = await store.operations.find(id);
  if (row === undefined) return;
  const incident = randomBytes(4).toString('hex');
  log.error({ err: error, operation: id, incident }, 'an operation is given up: its turns only go wrong');
  if (row.state === 'waiting' || row.state === 'approved') {
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
  const { title } = readOperationOrRest(row).plan;
  await end(context, row, ['running', 'reading'], wasSent ? 'unknown' : 'failed', {
    endText: abandoned[wasSent ? 'sent' : 'notSent'](title, incident),
  });
}
