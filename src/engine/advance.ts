import { isEnd, isStepEnd, type OperationState } from '../core/operation.ts';
import { begin } from './begin.ts';
import { endReply } from './card.ts';
import { finish } from './finish.ts';
import type { Kit } from './kit.ts';
import { redraw } from './propose.ts';
import { type Operation, readOperation, readStep } from './records.ts';
import { startStep } from './start-step.ts';
import { countingVotes, votesNeeded } from './votes.ts';
import type { Watcher } from './watch.ts';

/** What the carrier does after a turn: nothing more, or wait for a wake-up, at most so long. */
export type Turn = { readonly isOver: true } | { readonly isOver: false; readonly waitMs: number };

const over: Turn = { isOver: true };
const again = (waitMs: number): Turn => ({ isOver: false, waitMs });
const longestWaitMs = 10 * 60_000;
const watchedWaitMs = 60_000;

/**
 * One turn: takes the operation as far as it goes now. It is repeated after every crash, so everything in it is either a
 * conditional transition, or a put of the same message, or reading.
 */
export async function advance(kit: Kit, watcher: Watcher, id: string): Promise<Turn> {
  for (;;) {
    const row = await kit.deps.store.operations.find(id);
    if (row === undefined) return over;
    const operation = readOperation(row);
    if (isEnd(operation.state)) {
      await settle(kit, operation);
      return over;
    }
    const turn = await turns[operation.state as keyof typeof turns](kit, operation, watcher);
    if (turn !== 'next') return turn;
  }
}

type TakeTurn = (kit: Kit, operation: Operation, watcher: Watcher) => Promise<Turn | 'next'>;

const turns: Readonly<Record<'waiting' | 'approved' | 'running' | 'reading', TakeTurn>> = {
  waiting: wait,
  approved: begin,
  running: work,
  reading: work,
};

async function wait(kit: Kit, operation: Operation): Promise<Turn | 'next'> {
  const { store, now } = kit.deps;
  const votes = countingVotes(await store.votes.list(operation.id));
  if (votes.length >= votesNeeded(operation)) {
    await store.operations.move(operation.id, 'waiting', 'approved');
    return 'next';
  }
  const leftMs = (operation.expiresAt ?? 0) - now();
  if (leftMs > 0) return again(Math.min(leftMs + 5, longestWaitMs));
  const endText = `expired: nobody ${operation.rule === 'confirm' ? 'confirmed' : 'approved'} it in time. Nothing was done.`;
  await store.operations.move(operation.id, 'waiting', 'expired', { endText });
  return 'next';
}

async function work(kit: Kit, operation: Operation, watcher: Watcher): Promise<Turn | 'next'> {
  const { store } = kit.deps;
  const most = operation.plan.parallel ?? 1;
  for (;;) {
    const steps = (await store.steps.list(operation.id)).map(readStep);
    // Only this turn starts steps: one that is `running` as the turn begins was cut off in the middle of its call.
    for (const step of steps) {
      if (step.state === 'running') await watcher.markLost(operation, step, 'the process ended during the call');
    }
    if (steps.some((step) => step.state === 'running')) continue;
    const hasStopped = steps.some(
      (step) => step.state === 'failed' || step.state === 'unknown' || step.state === 'unverified',
    );
    const pending = steps.filter((step) => step.state === 'pending');
    if (hasStopped && pending.length > 0) {
      for (const step of pending) await store.steps.move(operation.id, step.n, 'pending', 'skipped');
      continue;
    }
    if (steps.every((step) => isStepEnd(step.state))) {
      await finish(kit, operation, steps);
      return 'next';
    }
    const underWay = steps.filter((step) => !isStepEnd(step.state) && step.state !== 'pending');
    for (const step of underWay) watcher.arm(operation.id, step.n);
    const starting = pending.slice(0, Math.max(0, most - underWay.length));
    if (starting.length === 0) {
      await redraw(kit, operation.id);
      return again(watchedWaitMs);
    }
    if (steps.length > 1) await redraw(kit, operation.id);
    await Promise.all(starting.map((step) => startStep(kit, operation, step, watcher)));
    await redraw(kit, operation.id);
  }
}

/** Everything an end owes: the card, the reply in the thread, the locks. Idempotent: a crash repeats it. */
async function settle(kit: Kit, operation: Operation): Promise<void> {
  await kit.deps.store.locks.release(operation.id);
  const steps = (await kit.deps.store.steps.list(operation.id)).map(readStep);
  await redraw(kit, operation.id);
  if (quietEnds.includes(operation.state)) return;
  const view = endReply(operation, steps);
  const standing = await kit.policies.standing(operation.channel);
  if (standing === 'shared' || standing === 'became_public') {
    // Others can read along there now: who asked is told directly, and whoever answers for it as well.
    await kit.messages.put({ key: `end:${operation.id}`, channel: operation.requester, view });
    const { auditChannel } = kit.deps.settings;
    if (auditChannel) await kit.messages.put({ key: `audit:end:${operation.id}`, channel: auditChannel, view });
    return;
  }
  await kit.messages.put({
    key: `end:${operation.id}`,
    channel: operation.channel,
    ...(operation.thread === null ? { parent: `card:${operation.id}` } : { threadTs: operation.thread }),
    view,
  });
}

/** The person who asked ended it with a click of their own; the card says so. */
const quietEnds: readonly OperationState[] = ['withdrawn'];
