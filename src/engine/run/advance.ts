import { isEnd, isStepEnd } from '../../core/operation.ts';
import { expire } from '../approval/expire.ts';
import { countingVotes, votesNeeded } from '../approval/vote-rules.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from '../operation/announce-end.ts';
import { wasStopped } from '../operation/card.ts';
import { redraw } from '../operation/create.ts';
import { type Operation, type OperationStep, readOperation, readStep } from '../operation/record.ts';
import { finish } from './finish.ts';
import { markLost, tellLost } from './lost-answer.ts';
import { recheck } from './recheck.ts';
import { sendStep } from './send-step.ts';
import type { StepWatcher } from './step-watcher.ts';
import type { Turn } from './turn.ts';

const over: Turn = { isOver: true };
const again = (waitMs: number): Turn => ({ isOver: false, waitMs });
const longestWaitMs = 10 * 60_000;
/** About as long as the provider takes to answer a question. */
const readBackMs = 400;

/**
 * One turn: takes the operation as far as it goes now. It is repeated after every crash, so everything in it is either a
 * conditional transition, or a put of the same message, or reading.
 */
export async function advance(context: EngineContext, watcher: StepWatcher, id: string): Promise<Turn> {
  for (;;) {
    const row = await context.store.operations.find(id);
    if (row === undefined) return over;
    const operation = readOperation(row);
    if (isEnd(operation.state)) {
      await announceEnd(context, operation);
      return over;
    }
    const turn = await turns[operation.state as keyof typeof turns](context, operation, watcher);
    if (turn !== 'next') return turn;
  }
}

type TakeTurn = (context: EngineContext, operation: Operation, watcher: StepWatcher) => Promise<Turn | 'next'>;

const turns: Readonly<Record<'waiting' | 'approved' | 'running' | 'reading', TakeTurn>> = {
  waiting: wait,
  approved: recheck,
  running: work,
  reading: work,
};

async function wait(context: EngineContext, operation: Operation): Promise<Turn | 'next'> {
  const { store, now } = context;
  const votes = countingVotes(await store.votes.list(operation.id));
  if (votes.length >= votesNeeded(operation)) {
    await store.operations.move(operation.id, 'waiting', 'approved');
    return 'next';
  }
  if (await expire(context, operation)) return 'next';
  return again(Math.min((operation.expiresAt ?? 0) - now() + 5, longestWaitMs));
}

async function work(context: EngineContext, operation: Operation, watcher: StepWatcher): Promise<Turn | 'next'> {
  const { store } = context;
  const most = operation.plan.parallel ?? 1;
  const command = context.commands.find((known) => known.path === operation.command);
  if (command?.kind !== 'action') throw new Error(`this version has no action ${operation.command}`);
  for (;;) {
    const steps = (await store.steps.list(operation.id)).map(readStep);
    // What an older version wrote and this one cannot read would otherwise be watched for ever.
    for (const step of steps) if (!isStepEnd(step.state)) command.step(step.data);
    // Only this turn starts steps: one that is `running` as the turn begins was cut off in the middle of its call.
    for (const step of steps) {
      if (step.state === 'running') await markLost(context, operation, step, wasStopped);
    }
    if (steps.some((step) => step.state === 'running')) continue;
    for (const step of steps) if (step.state === 'reading') await tellLost(context, operation, step);
    const hasStopped = steps.some(
      (step) => step.state === 'failed' || step.state === 'unknown' || step.state === 'unverified',
    );
    const pending = steps.filter((step) => step.state === 'pending');
    if (hasStopped && pending.length > 0) {
      for (const step of pending) await store.steps.move(operation.id, step.n, 'pending', 'skipped');
      continue;
    }
    if (steps.every((step) => isStepEnd(step.state))) {
      await finish(context, operation, steps);
      return 'next';
    }
    const underWay = steps.filter((step) => !isStepEnd(step.state) && step.state !== 'pending');
    for (const step of underWay) watcher.arm(operation.id, step.n);
    const starting = pending.slice(0, Math.max(0, most - underWay.length));
    if (starting.length === 0) {
      if (await areReadBack(watcher, operation, underWay)) continue;
      await redraw(context, operation.id);
      // The watcher wakes it. Thousands that wait do not all look again at the same time.
      return again(longestWaitMs * (0.5 + Math.random() / 2));
    }
    if (steps.length > 1) await redraw(context, operation.id);
    // All to their end: a call still under way when the next turn begins would be taken for one that was cut off.
    const started = await Promise.allSettled(starting.map((step) => sendStep(context, operation, step, watcher)));
    for (const one of started) if (one.status === 'rejected') throw one.reason;
  }
}

/**
 * What made no job is read back in a moment. To draw the card for that moment, rest, and be woken again would cost more
 * than the change itself.
 */
async function areReadBack(
  watcher: StepWatcher,
  { id }: Operation,
  underWay: readonly OperationStep[],
): Promise<boolean> {
  if (underWay.some(({ state }) => state !== 'verifying')) return false;
  const ends = await Promise.all(underWay.map(({ n }) => watcher.ends(id, n, readBackMs)));
  return ends.includes(true);
}
