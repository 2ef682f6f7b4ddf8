import type { Step } from '../../core/command.ts';
import { isStepEnd } from '../../core/operation.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { askingOf, doingOf, type Operation, type OperationStep, readOperation, readStep } from '../operation/record.ts';
import { type Found, phases } from './step-logic.ts';

export interface LoadedStep {
  readonly operation: Operation;
  readonly step: OperationStep;
  readonly closed: Step<Reader, Provider>;
}

/** Undefined when there is nothing to look at; a step that has ended is one, also of a request that cannot be read. */
export async function load(
  context: Pick<EngineContext, 'commands' | 'store'>,
  id: string,
  n: number,
): Promise<LoadedStep | undefined> {
  const row = await context.store.operations.find(id);
  const step = (await context.store.steps.list(id)).find((known) => known.n === n);
  if (step === undefined || isStepEnd(step.state)) return undefined;
  const command = commandAt(context, row?.command);
  if (row === undefined || command?.kind !== 'action') return undefined;
  return { operation: readOperation(row), step: readStep(step), closed: command.step(step.data) };
}

interface Moment {
  readonly looks: number;
  readonly elapsedMs: number;
  readonly sinceLookMs: number;
  readonly random: () => number;
}

export function hasPhase(state: string): state is keyof typeof phases {
  return state in phases;
}

/**
 * Looks once and stores the result. Returns the ms until the next look, `next` for the next phase at once, or `over`
 * when the step has ended.
 */
export async function look(
  context: EngineContext,
  { operation, step, closed }: LoadedStep,
  state: keyof typeof phases,
  moment: Moment,
): Promise<number | 'next' | 'over'> {
  const { store, meter } = context;
  const { requester, channel } = operation;
  const found = await phases[state]({
    step: closed,
    doing: doingOf(operation, step),
    receipt: step.receipt ?? undefined,
    seen: { wasAway: step.seenAway === 1 },
    read: async () => context.readContext(askingOf(operation), await context.accessOf(requester, channel)),
    looks: moment.looks,
    elapsedMs: moment.elapsedMs,
    random: moment.random(),
    usualMs: (action) => store.durations.recent(action, 50),
    isSeveral: operation.plan.isSeveral === true,
  });
  if (found.isAway === true) await store.steps.sawAway(operation.id, step.n);
  if (found.jobEnded !== undefined) {
    meter.watched(moment.sinceLookMs);
    await store.durations.add(found.jobEnded, moment.elapsedMs);
  }
  return stored(context, { operation, step }, state, found);
}

async function stored(
  context: Pick<EngineContext, 'store'>,
  { operation, step }: Pick<LoadedStep, 'operation' | 'step'>,
  state: keyof typeof phases,
  found: Found,
): Promise<number | 'next' | 'over'> {
  if (found.kind === 'wait') return found.ms;
  const { steps } = context.store;
  if (found.kind === 'verifying') {
    await steps.move(operation.id, step.n, state, 'verifying');
    return 'next';
  }
  await steps.move(operation.id, step.n, state, found.state, { note: found.note });
  return 'over';
}
