import { differenceOf } from '../../core/plan/difference.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { isPatient } from '../../core/plan/when.ts';
import { hashOf, type Json } from '../../core/text/json.ts';
import { Refusal } from '../../core/view/errors.ts';
import { decideOnPlan } from '../access/decide-plan.ts';
import { frozenBy, sayFrozenBriefly } from '../access/frozen.ts';
import { protectionsOn } from '../access/protections.ts';
import { sayNames } from '../access/say-names.ts';
import { asksMoreNow, proposeAgain, reopen, upgraded, wasUpgraded } from '../approval/propose-again.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { freshMs, heldWithinMs, laterMs } from '../context/time-limits.ts';
import { acquireLocks } from '../operation/acquire-locks.ts';
import { redraw } from '../operation/create.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { planAgain } from '../operation/plan-again.ts';
import type { Operation } from '../operation/read-operation.ts';
import { type DueClock, waitForThaw } from '../time/due.ts';
import { closedWindow, moveIntoNext } from '../time/windows.ts';
import { mayStartNow, notAllowedBy, type Permission, slackUnavailable } from './may-begin.ts';

const checkingAgain = 'Checking it again before running';

/**
 * Checks the requester, the approvers, freezes, locks and the plan again between approval and the first write. Only if
 * nothing changed does the row move to `running`.
 */
export async function recheckPlan(context: EngineContext, operation: Operation, { dueTime }: DueClock) {
  const { store } = context;
  const command = actionAt(context, operation);
  if (command === undefined) {
    return refuse(context, operation, 'impossible', ends.notRun(reasons.noCommand(operation.command)));
  }
  // A window that ended while the bot was offline comes before the question whether to continue.
  const closed = operation.stopBy === null ? await closedWindow(context, operation, dueTime()) : undefined;
  if (closed !== undefined) return moveIntoNext(context, operation, closed, dueTime());
  const time = await mayStartNow(context, operation, []);
  if (time.kind !== 'yes') return notNow(context, operation, time);
  const reopened = await reopen(context, operation);
  if (reopened !== 'no') return reopened === 'yes' ? 'next' : notNow(context, operation, slackUnavailable);
  // The locks come before the reads, so that no other operation changes a target after it was read.
  const otherRequest = await acquireLocks(context, operation);
  if (otherRequest !== undefined) {
    return refuse(context, operation, 'locked', ends.locked(otherRequest));
  }

  const access = await context.accessOf(operation.requester, operation.channel, freshMs);
  let again: Awaited<ReturnType<typeof planAgain>>;
  try {
    again = await planAgain(context, operation, command, access);
  } catch (error) {
    const { kind, why } = notAllowedBy(error, checkingAgain);
    if (kind === 'later') return delay(context, operation, why);
    if (error instanceof Refusal) return refuse(context, operation, 'changed', ends.notRun(why));
    return refuse(context, operation, 'unavailable', ends.notSent(why));
  }
  const { plan, named, canonical } = again;
  const decision = await decideOnPlan(context, access, command, { ...plan, targets: [...named, ...plan.targets] });
  if (!decision.allowed) {
    if (access.isUnsure) return notNow(context, operation, slackUnavailable);
    const why = await sayNames(context.directory, decision.because);
    return refuse(context, operation, decision.reason, ends.notRun(why));
  }
  const frozen = await frozenBy(context, operation.channel, plan.targets);
  if (frozen !== undefined && isPatient(operation.when)) return waitForThaw(context, operation, frozen);
  if (frozen !== undefined) return refuse(context, operation, 'frozen', ends.notRun(sayFrozenBriefly(frozen)));

  if (operation.when.kind === 'run' && (await protectionsOn(context, plan.targets)).length > 0)
    return refuse(context, operation, 'pinned', ends.notRun(reasons.protected));
  const isSame = isAsApproved(operation, plan);
  if (!isSame || asksMoreNow(decision, operation))
    return proposeAgain(context, operation, command, { plan, canonical, isSame }, decision);
  // The rule of a graver risk may require another window, and the reads may have outlasted one.
  const closedNow = await closedWindow(context, operation, dueTime(), decision.rule);
  if (closedNow !== undefined) return moveIntoNext(context, operation, closedNow, dueTime());
  await store.operations.move(operation.id, 'approved', 'running');
  return 'next';
}

/**
 * Whether the plan is still as shown, for an operation whose process ended before its first step was sent. Once a step
 * was sent, each step checks its own target instead: the operation itself has changed the facts.
 */
export async function isAsShown(context: EngineContext, operation: Operation, command: AnyAction): Promise<Permission> {
  const access = await context.accessOf(operation.requester, operation.channel, freshMs);
  try {
    const { plan } = await planAgain(context, operation, command, access);
    const closed = await closedWindow(context, operation, context.now());
    if (closed !== undefined) return { kind: 'never', why: `the maintenance window “${closed.name}” has ended` };
    if (isAsApproved(operation, plan)) return { kind: 'yes' };
    const difference = differenceOf(operation.plan.facts, plan.facts) || 'It changed since it was requested.';
    const why = wasUpgraded(operation, context) ? upgraded : difference;
    return { kind: 'never', why: plan.nothingToDo ?? why };
  } catch (error) {
    return notAllowedBy(error, checkingAgain);
  }
}

/** Handles an operation that may not begin: ends it, holds it for a person, or delays it. */
async function notNow(
  context: EngineContext,
  operation: Operation,
  { kind, why }: Exclude<Permission, { kind: 'yes' }>,
): Promise<number | 'next'> {
  if (kind === 'never') return refuse(context, operation, 'closed', ends.notRun(why));
  if (kind === 'later') return delay(context, operation, why);
  if (operation.when.kind === 'run') return refuse(context, operation, 'closed', ends.notRun(why));
  await context.store.operations.hold(operation.id, why, context.owner);
  return 'next';
}

/** True if the fresh plan is the one that people approved. */
function isAsApproved(operation: Operation, plan: Plan<Json>): boolean {
  return plan.nothingToDo === undefined && hashOf(plan.facts) === operation.factsHash;
}

/** Shows the reason for a delay on the card. Returns the time until the retry. */
export async function delay(context: EngineContext, operation: Operation, why: string): Promise<number> {
  if (operation.delayWhy !== why) {
    await context.store.operations.patch(operation.id, { delayWhy: why });
    await redraw(context, operation.id);
  }
  return laterMs;
}

/** Releases the locks of a held operation and shows its "Continue" button. Returns the time until the hold expires. */
export async function waitForContinue(context: EngineContext, operation: Operation): Promise<number> {
  const { store, now } = context;
  const entry = { data: { since: operation.heldAt }, unlessThere: 'same' } as const;
  await recordEntry(context, operation, 'held', `${operation.plan.title}: ${operation.heldWhy ?? ''}`, entry);
  await store.locks.release(operation.id, context.owner);
  await redraw(context, operation.id);
  return Math.max(1_000, (operation.heldAt ?? now()) + heldWithinMs - now());
}

export function isHeldTooLong(context: EngineContext, operation: Operation): boolean {
  return operation.heldAt !== null && context.now() - operation.heldAt > heldWithinMs;
}

/** Handles a held operation that has sent nothing. */
export async function handleHeld(context: EngineContext, operation: Operation): Promise<number | 'next'> {
  if (operation.stopBy !== null) return refuse(context, operation, 'closed', ends.notRun(reasons.stopped));
  if (isHeldTooLong(context, operation)) return refuse(context, operation, 'closed', ends.notRun(reasons.heldTooLong));
  // A missed run is not made up for.
  const { when, heldWhy } = operation;
  if (when.kind === 'run') return refuse(context, operation, 'closed', ends.notRun(heldWhy ?? ''));
  return waitForContinue(context, operation);
}
