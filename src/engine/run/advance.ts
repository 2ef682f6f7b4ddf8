import { isEnd, unansweredMs } from '../../core/plan/operation.ts';
import { labelChangesAt } from '../../core/plan/say-when.ts';
import { coolingMsOf } from '../../core/plan/when.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import { countingVotes } from '../access/count-votes.ts';
import { expire } from '../approval/ballot.ts';
import { followGlass } from '../approval/break-glass.ts';
import { closeNotices, notifyApprovers, reminderTimes, remindMissing } from '../approval/notices.ts';
import { decide } from '../approval/propose-again.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from '../operation/announce-end.ts';
import { redraw } from '../operation/create.ts';
import { beginOutside, lookOutside } from '../operation/look-outside.ts';
import { type Operation, readOperation, readOperationLeniently } from '../operation/read-operation.ts';
import { countDown, isAhead, mustCountDown, schedule, startCountdown, waitForMoment } from '../time/due.ts';
import { becomeStanding, keepStanding } from '../time/repeat.ts';
import { requestReverse } from '../time/reverse.ts';
import { markUndone } from './finish.ts';
import { handleHeld, recheckPlan } from './recheck-plan.ts';
import { type TurnScope, work } from './work.ts';

const longestWaitMs = 10 * 60_000;

/**
 * Runs one turn, which moves the operation as far as possible. Returns the time until the next turn, or null after the
 * end. A turn is repeated after a crash, so it consists of conditional transitions, idempotent messages and reads.
 */
export async function advance(context: EngineContext, scope: TurnScope, claimed: OperationRow): Promise<number | null> {
  let checkedAt: number | undefined;
  for (let row: OperationRow | undefined = claimed; ; row = await context.store.operations.find(claimed.id)) {
    // Another process may have its turn by now.
    if (row?.turnOwner !== context.owner) return null;
    if (isEnd(row.state)) {
      const operation = readOperationLeniently(row);
      const pacedMs = (waitMs: number | null) => (waitMs === null ? null : scope.paced(waitMs, 0));
      if (row.outsideSince !== null)
        return sooner(pacedMs(await lookOutside(context, row)), await followGlass(context, operation));
      await announceEnd(context, operation);
      await markUndone(context, operation);
      if (operation.when.kind === 'run') context.wake(operation.when.of);
      if (operation.startedAt === null) await closeNotices(context, operation);
      const reversedMs = await requestReverse(context, operation);
      if (reversedMs !== null) return reversedMs;
      return sooner(pacedMs(await beginOutside(context, operation)), await followGlass(context, operation));
    }
    const operation = readOperation(row);
    const beganAt = context.elapsed();
    const nextMs = await turns[operation.state as keyof typeof turns](context, operation, scope, checkedAt);
    if (nextMs !== 'next') return nextMs;
    checkedAt = operation.state === 'approved' && operation.heldAt === null ? beganAt : undefined;
  }
}

function sooner(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

type TakeTurn = (
  context: EngineContext,
  operation: Operation,
  scope: TurnScope,
  /** The start of this turn's check, on the clock of this process; undefined if no check has run. */
  checkedAt: number | undefined,
) => Promise<number | 'next'>;

const turns: Readonly<
  Record<'waiting' | 'approved' | 'scheduled' | 'cooling' | 'standing' | 'running' | 'reading', TakeTurn>
> = {
  waiting: wait,
  approved: async (context, operation, scope) => {
    if (operation.heldAt !== null) return handleHeld(context, operation);
    await closeNotices(context, operation);
    if (operation.when.kind === 'weekly') return becomeStanding(context, operation);
    if (isAhead(operation, scope)) return schedule(context, operation);
    if (mustCountDown(operation)) return startCountdown(context, operation, scope);
    return recheckPlan(context, operation, scope);
  },
  scheduled: waitForMoment,
  cooling: countDown,
  standing: (context, operation, { dueTime }) =>
    keepStanding(context, operation, () => dueTime() + coolingMsOf(operation)),
  running: work,
  reading: work,
};

async function wait(context: EngineContext, operation: Operation): Promise<number | 'next'> {
  const { store, now } = context;
  const votes = await store.votes.list(operation.id);
  if (await decide(context, operation, votes)) return 'next';
  if (await expire(context, operation)) return 'next';
  if (countingVotes(votes).length === 0) await notifyApprovers(context, operation);
  await remindMissing(context, operation);
  if (labelChangesAt(operation.when, operation.updatedAt) <= now()) await redraw(context, operation.id);
  const times = [
    labelChangesAt(operation.when, now()),
    operation.createdAt + unansweredMs,
    ...Object.values(reminderTimes(operation)),
    operation.expiresAt ?? [],
  ];
  const moments = times.flat().map((at) => at - now() + 5);
  return Math.min(...moments.filter((ms) => ms > 0), longestWaitMs);
}
