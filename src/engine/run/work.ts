import { within } from '../../core/async/within.ts';
import { isStepEnd, isTrouble } from '../../core/plan/operation.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { mostTasks } from '../operation/card-details.ts';
import { redraw } from '../operation/create.ts';
import { wasInterrupted } from '../operation/ends.ts';
import { closedStep, type Operation, type OperationStep, readNow, readStep } from '../operation/read-operation.ts';
import type { AnswerKeeper } from './answer-keeper.ts';
import { finish } from './finish.ts';
import { markLost, notifyLost } from './lost-answer.ts';
import { mayBegin, type Next, type Permission } from './may-begin.ts';
import { isFollowed, type PollTiming, pollStep } from './poll-step.ts';
import { delay, isAsShown, isHeldTooLong, waitForContinue } from './recheck-plan.ts';
import { type Beginning, sendStep } from './send-step.ts';

/** Works on the steps of an operation: polls the steps under way and begins the next ones if all checks pass. */

const longestWaitMs = 10 * 60_000;
/** The delay until the responses kept in memory are checked again. */
const storedSoonMs = 1_000;
/** The usual response time of a read at the provider. An earlier edit of the card would wait for its second anyway. */
const usualAnswerMs = 1_000;

/** A full map is cleared, which also drops operations that ended on another replica. */
const mostDrawn = 10_000;

/** The memory and the clock of a turn, which its rows do not contain. */
export interface TurnScope extends PollTiming {
  /** Provider responses that are not stored yet. */
  readonly answers: AnswerKeeper;
  /** The rows from which this process last drew the card of each running operation. */
  readonly drawn: Map<string, string>;
}

export async function work(
  context: EngineContext,
  operation: Operation,
  scope: TurnScope,
  checkedBefore: number | undefined,
): Promise<number | 'next'> {
  const { store } = context;
  const command = actionAt(context, operation);
  if (command === undefined) throw new Error(`this version has no action ${operation.command}`);
  for (let earlierCheck = checkedBefore; ; earlierCheck = undefined) {
    const steps = await readSteps(context, operation, command);
    const isCutOff = await markInterruptedLost(context, operation, steps, scope);
    if (isCutOff) continue;
    for (const step of steps) if (step.state === 'reading') await notifyLost(context, operation, step);
    const pending = steps.filter((step) => step.state === 'pending');
    const underWay = steps.filter((step) => !isStepEnd(step.state) && step.state !== 'pending');
    if (pending.length > 0 && steps.some(({ state }) => isTrouble(state))) {
      await skipSteps(context, operation, pending, null);
      continue;
    }
    if (pending.length === 0 && underWay.length === 0) {
      const all = operation.plan.isMany ? (await store.steps.list(operation.id)).map(readStep) : steps;
      await finish(context, operation, command, all);
      return 'next';
    }
    // The lost response arrived.
    if (operation.state === 'reading' && !steps.some((step) => step.state === 'reading')) {
      await store.operations.move(operation.id, 'reading', 'running');
      return 'next';
    }
    const draw = () => drawOnce(context, scope, operation, steps);
    const nextPollMs = await pollDue(context, operation, command, underWay, scope, draw);
    if (nextPollMs === 'moved') continue;
    const starting = pending.slice(0, Math.max(0, (operation.plan.parallel ?? 1) - underWay.length));
    if (starting.length === 0) {
      // The response of the running step is in memory only; the turn after its storage draws the card.
      if (underWay.some((step) => step.state === 'running')) return Math.min(nextPollMs, storedSoonMs);
      await draw();
      return nextPollMs;
    }
    // sendStep rejects a check that has become too old and sends nothing.
    const checkedAt = earlierCheck ?? context.elapsed();
    const isChecked = earlierCheck !== undefined && operation.stopBy === null;
    const now = isChecked ? operation : await readNow(context, operation);
    // Another process has its turn.
    if (now.turnOwner !== context.owner) return nextPollMs;
    const permission: Permission = isChecked
      ? { kind: 'yes' }
      : await permissionFor(context, now, { command, steps, starting });
    if (permission.kind === 'never') {
      await skipSteps(context, operation, pending, permission.why);
      continue;
    }
    // A hold releases the locks, so it begins only when no step is under way.
    if (permission.kind === 'held' && underWay.length > 0) {
      await redraw(context, operation.id);
      return nextPollMs;
    }
    if (permission.kind !== 'yes') {
      const restMs = await restFor(context, now, permission);
      if (restMs !== undefined) return Math.min(restMs, nextPollMs);
      continue;
    }
    if (now.delayWhy !== null) await store.operations.patch(operation.id, { delayWhy: null });
    if (steps.length > 1 && (!operation.plan.isMany || (starting[0]?.n ?? 0) % mostTasks === 0))
      await redraw(context, operation.id);
    // Waits for all calls: one still under way at the next turn would count as interrupted.
    const started = await Promise.allSettled(
      starting.map((step) => sendStep(context, operation, step, { command, answers: scope.answers, checkedAt })),
    );
    const restMs = await afterSending(context, operation, pending, started);
    if (restMs !== undefined) return Math.min(restMs, nextPollMs);
  }
}

async function readSteps(context: EngineContext, { id, plan: { isMany } }: Operation, command: AnyAction) {
  const { list, listNext } = context.store.steps;
  const steps = (await (isMany ? listNext(id) : list(id))).map(readStep);
  // Throws for a step that this version cannot read, which would otherwise be polled forever.
  for (const step of steps) if (!isStepEnd(step.state)) closedStep(command, step);
  return steps;
}

/**
 * Marks interrupted steps as lost, and returns whether it did. Only a turn starts steps, so a step that is `running`
 * when a turn begins was interrupted, unless its response is in memory, or another process has the turn by now.
 */
async function markInterruptedLost(
  context: EngineContext,
  operation: Operation,
  steps: readonly OperationStep[],
  { answers }: Pick<TurnScope, 'answers'>,
): Promise<boolean> {
  const cutOff = steps.filter((step) => step.state === 'running' && !answers.has(operation.id, step.n));
  if (cutOff.length === 0 || (await readNow(context, operation)).turnOwner !== context.owner) return false;
  for (const step of cutOff) await markLost(context, operation, step, wasInterrupted);
  return true;
}

/** Skips the pending steps and stores `why` for the end text. */
async function skipSteps(
  { store }: EngineContext,
  { id }: Operation,
  pending: readonly OperationStep[],
  why: string | null,
): Promise<void> {
  for (const { n } of pending) await store.steps.move(id, n, 'pending', 'skipped', { note: why });
}

async function permissionFor(context: EngineContext, operation: Operation, next: Next): Promise<Permission> {
  if (isHeldTooLong(context, operation)) {
    return { kind: 'never', why: 'it waited a day, and nobody said that it may continue' };
  }
  if (operation.heldAt !== null && operation.stopBy === null) return { kind: 'held', why: operation.heldWhy ?? '' };
  const permission = await mayBegin(context, operation, next);
  const isUntouched = next.steps.every((step) => step.startedAt === null);
  return permission.kind === 'yes' && isUntouched ? isAsShown(context, operation, next.command) : permission;
}

/** Returns the time until the next turn, or undefined if a hold was stored, which the next round of the loop finds. */
async function restFor(
  context: EngineContext,
  operation: Operation,
  permission: Extract<Permission, { kind: 'later' | 'held' }>,
): Promise<number | undefined> {
  if (permission.kind === 'later') return delay(context, operation, permission.why);
  if (operation.heldAt !== null) return waitForContinue(context, operation);
  await context.store.operations.hold(operation.id, permission.why, context.owner);
  return undefined;
}

async function afterSending(
  context: EngineContext,
  operation: Operation,
  pending: readonly OperationStep[],
  started: readonly PromiseSettledResult<Beginning>[],
): Promise<number | undefined> {
  const beginnings = started.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const never = beginnings.find((beginning) => beginning.kind === 'never');
  if (never !== undefined) {
    await skipSteps(context, operation, pending, never.why);
    return undefined;
  }
  const later = beginnings.find((beginning) => beginning.kind === 'later');
  return later === undefined ? undefined : delay(context, await readNow(context, operation), later.why);
}

/** Polls the due steps. Returns `moved` if one changed its state, else the time until the next poll. */
async function pollDue(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  underWay: readonly OperationStep[],
  timing: PollTiming,
  draw: () => Promise<void>,
): Promise<number | 'moved'> {
  const followed = underWay.filter(isFollowed);
  const isDue = (step: OperationStep) => step.nextLookAt <= timing.dueTime();
  const polling = Promise.all(
    followed.map((step) =>
      isDue(step)
        ? pollStep(context, operation, command, step, timing)
        : Math.max(0, step.nextLookAt - timing.dueTime()),
    ),
  );
  // Draws the card during a slow read, to show that the provider has the step. Most reads end sooner.
  if ((await within(polling, usualAnswerMs)).kind === 'late') await draw();
  const polls = await polling;
  const waits = polls.filter((poll) => poll !== 'moved');
  return waits.length < polls.length ? 'moved' : Math.min(longestWaitMs, ...waits);
}

/**
 * Skips the card if a poll changed nothing: with 1,000 watched jobs this halves the processor time. The memory ends
 * with the process, so a new process draws each card again. The card of a lost response is drawn every time, because it
 * also depends on the members of the channel.
 */
async function drawOnce(
  context: EngineContext,
  { drawn }: Pick<TurnScope, 'drawn'>,
  operation: Operation,
  steps: readonly OperationStep[],
): Promise<void> {
  const { id, state, channel, updatedAt, heldAt, stopBy, delayWhy } = operation;
  const rows = JSON.stringify([channel, updatedAt, heldAt, stopBy, delayWhy, steps.map(({ n, state }) => [n, state])]);
  if (state === 'running' && drawn.get(id) === rows) return;
  await redraw(context, id);
  if (drawn.size >= mostDrawn) drawn.clear();
  drawn.set(id, rows);
}
