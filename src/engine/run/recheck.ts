import { emptyAccount, type Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { unescalated } from '../../core/policy/escalation.ts';
import { isGuarded } from '../../core/policy/pins.ts';
import { defined } from '../../core/text/defined.ts';
import { canonicalJson, hashOf, type Json } from '../../core/text/json.ts';
import { count } from '../../core/text/words.ts';
import { ProviderError, Refusal, type RefusalReason } from '../../core/view/errors.ts';
import { notice } from '../../core/view/view.ts';
import { decideOnPlan, withPin } from '../access/decide-plan.ts';
import { frozenBy, sayFrozenBriefly } from '../access/freezes.ts';
import { maySeeFor } from '../access/may-see.ts';
import { type Pinned, pinsToShow } from '../access/pins.ts';
import { sayIds, sayNames } from '../access/say-names.ts';
import { reopenNotices } from '../approval/close-notices.ts';
import { keepVotes } from '../approval/keep-votes.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { sayProviderError } from '../context/error-view.ts';
import { operationId } from '../context/operation-id.ts';
import { answerWithinMs, freshMs } from '../context/time-limits.ts';
import { propose, redraw, riskOf } from '../operation/create.ts';
import { replacementSeed } from '../operation/cut-off.ts';
import { end } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import { entryOf } from '../operation/entry-of.ts';
import { askingOf, type Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { votesOfNow } from '../operation/void-votes.ts';
import { differenceOf } from './difference.ts';
import { delay } from './hold.ts';
import { acquireLocks, mayStartNow, mustWait, type Permission, slackUnavailable } from './may-begin.ts';
import { graver, sayChanged, upgraded, wasUpgraded } from './say-changed.ts';
import { waitForThaw } from './timed.ts';

/**
 * Checks the requester, the approvers, freezes, locks and the plan again between approval and the first write. Only if
 * nothing changed does the row move to `running`.
 */
export async function recheck(context: EngineContext, operation: Operation): Promise<number | 'next'> {
  const { store } = context;
  const command = actionAt(context, operation);
  if (command === undefined) {
    return refuse(context, operation, 'impossible', ends.notRun(reasons.noCommand(operation.command)));
  }
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
  let plan: Plan<Json>;
  let named: readonly Target[];
  let canonical: RawArgs;
  try {
    ({ plan, named, canonical } = await planAgain(context, operation, command, access));
  } catch (error) {
    return cannotPlan(context, operation, error);
  }
  const weight = { capability: command.capability, risk: riskOf(command, plan) };
  const decision = await decideOnPlan(context, access, weight, { ...plan, targets: [...named, ...plan.targets] });
  if (!decision.allowed) {
    if (access.isUnsure) return notNow(context, operation, slackUnavailable);
    return refuse(
      context,
      operation,
      decision.reason,
      ends.notRun(await sayNames(context.directory, decision.because)),
    );
  }
  const frozen = await frozenBy(context, operation.channel, plan.targets);
  if (frozen !== undefined && operation.timing?.ifFrozen === 'wait') return waitForThaw(context, operation, frozen);
  if (frozen !== undefined) return refuse(context, operation, 'frozen', ends.notRun(sayFrozenBriefly(frozen)));

  const isSame = isAsApproved(operation, plan);
  if (!isSame || asksMoreNow(decision, operation))
    return changed(context, operation, command, { plan, canonical, isSame }, decision);
  // The audit comes first, so that a crash cannot leave its entry out: the repeated turn finds the entry.
  await context.audit({
    ...entryOf(operation),
    kind: 'started',
    text: operation.plan.title,
    data: { policyVersion: decision.policyVersion },
    unlessThere: ['started'],
  });
  await store.operations.move(operation.id, 'approved', 'running');
  return 'next';
}

/** Plans again and finds the targets that the line names. Passes on the errors of planning. */
async function planAgain(
  context: Pick<EngineContext, 'accountReader' | 'readContext'>,
  operation: Operation,
  command: AnyAction,
  access: Access,
): Promise<{ readonly plan: Plan<Json>; readonly named: readonly Target[]; readonly canonical: RawArgs }> {
  const account = command.needsAccount ? await context.accountReader.read({ maxAgeMs: 0 }) : emptyAccount;
  // A `Refusal` about a name that no longer matches becomes the end text on the card.
  const prepared = command.prepare(operation.args, { account, maySee: maySeeFor(command, access) });
  const plan = await prepared.plan(await context.readContext(askingOf(operation), access));
  return { plan, named: prepared.targets, canonical: prepared.canonical };
}

/**
 * Whether the plan is still as shown, for an operation whose process ended before its first step was sent. Once a step
 * was sent, each step checks its own target instead: the operation itself has changed the facts.
 */
export async function isAsShown(context: EngineContext, operation: Operation, command: AnyAction): Promise<Permission> {
  const access = await context.accessOf(operation.requester, operation.channel, freshMs);
  try {
    const { plan } = await planAgain(context, operation, command, access);
    if (isAsApproved(operation, plan)) return { kind: 'yes' };
    const difference = differenceOf(operation.plan.facts, plan.facts) || 'It changed since it was requested.';
    const why = wasUpgraded(operation, context) ? upgraded : difference;
    return { kind: 'never', why: plan.nothingToDo ?? why };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'never', why: error.message };
    if (!(error instanceof ProviderError)) throw error;
    const why = sayProviderError('Checking it again before running', error);
    return mustWait(error) ? { kind: 'later', why } : { kind: 'never', why };
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
  await context.store.operations.hold(operation.id, why);
  return 'next';
}

type Asked = Pick<Operation, 'rule' | 'isSolo' | 'demands'>;

/** True if the channel's rule is stricter now than at the decision. */
function asksMore(now: Asked, then: Asked): boolean {
  if (typeof now.rule === 'string') return now.rule === 'confirm' && then.rule === 'none';
  return (
    decidedBy(now) !== decidedBy(then) || now.demands.some(({ isSolo }, at) => then.demands[at]?.isSolo && !isSolo)
  );
}

/** A pin that was removed since asks for less: the approvals of before suffice. */
function asksMoreNow(now: Asked & { readonly pins: readonly Pinned[] }, then: Operation): boolean {
  if (!asksMore(now, then)) return false;
  const wasPinned = isGuarded(then.risk) && now.pins.length === 0 && then.plan.pins !== undefined;
  return !wasPinned || asksMore(withPin(now, then.channel), then);
}

/** The part of the rule that determines the deciders; how approvers are notified is not part of it. */
function decidedBy({ rule, demands }: Asked): string {
  if (typeof rule === 'string') return rule;
  return canonicalJson(
    demands.map(({ channel, rule }) => {
      const { notify: _, reason: __, ...deciding } = unescalated(rule);
      return { channel, ...deciding };
    }),
  );
}

/**
 * Returns the card to `waiting` if a vote no longer counts. The stored rows decide, not the votes that this turn
 * voided: an earlier turn may have been killed after voiding a vote and before the notification. `unsure` if Slack did
 * not answer.
 */
async function reopen(context: EngineContext, operation: Operation): Promise<'yes' | 'no' | 'unsure'> {
  if (operation.rule === 'none') return 'no';
  const { votes, isEnough, isUnsure } = await votesOfNow(context, operation);
  if (isEnough) return 'no';
  if (isUnsure) return 'unsure';
  // The message comes before the move: after a crash in between, putting the same message again changes nothing.
  const voided = votes.filter((vote) => vote.isVoid);
  for (const { userId, why } of voided) {
    const words = ` no longer counts: ${why ?? 'they may not approve this now'}. The request waits again.`;
    const view = notice('warning', ['The approval of ', { user: userId }, words]);
    await notifyThread(context, operation, `void:${operation.id}:${userId}`, view);
  }
  if (voided.length === 0) {
    const words = 'An approval no longer counts for each of the channels. The request waits again.';
    await notifyThread(context, operation, `void:${operation.id}:part`, notice('warning', words));
  }
  // An operation that waits for people holds no locks; an earlier turn may have acquired some.
  await context.store.locks.release(operation.id);
  // The time to decide ended at the hour, so the approvers get another.
  const again = operation.startsAt === null ? {} : { expiresAt: context.now() + answerWithinMs };
  await context.store.operations.move(operation.id, 'approved', 'waiting', { delayWhy: null, readyAt: null, ...again });
  await redraw(context, operation.id);
  await reopenNotices(context, operation);
  return 'yes';
}

async function cannotPlan(context: EngineContext, operation: Operation, error: unknown): Promise<number | 'next'> {
  if (error instanceof Refusal) return refuse(context, operation, 'changed', ends.notRun(error.message));
  if (error instanceof ProviderError) {
    const why = sayProviderError('Checking it again before running', error);
    if (mustWait(error)) return delay(context, operation, why);
    return refuse(context, operation, 'unavailable', ends.notSent(why));
  }
  throw error;
}

async function refuse(
  context: Pick<EngineContext, 'meter' | 'store'>,
  operation: Operation,
  reason: RefusalReason,
  endText: string,
): Promise<'next'> {
  await end(context, operation, 'approved', 'refused', { endReason: reason, endText });
  return 'next';
}

/** True if the fresh plan is the one that people approved. */
function isAsApproved(operation: Operation, plan: Plan<Json>): boolean {
  return plan.nothingToDo === undefined && hashOf(plan.facts) === operation.factsHash;
}

/** Refuses the operation with the difference as its reason, and requests the present plan anew. */
async function changed(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  { plan, canonical, isSame }: { readonly plan: Plan<Json>; readonly canonical: RawArgs; readonly isSame: boolean },
  decision: Asked & { readonly policyVersion: number; readonly pins: readonly Pinned[] },
): Promise<'next'> {
  if (plan.nothingToDo !== undefined) {
    return refuse(context, operation, 'changed', ends.nothingToDo(plan.nothingToDo));
  }
  const difference = await sayIds(context.directory, differenceOf(operation.plan.facts, plan.facts));
  // The new card comes first: after a crash in between, the repeated turn finds the card and continues.
  const again = await propose(context, {
    id: operationId(replacementSeed(operation.id)),
    askedAt: context.now(),
    command,
    canonical,
    plan: { ...plan, ...defined({ reason: operation.plan.reason }) },
    requester: operation.requester,
    channel: operation.channel,
    thread: operation.thread ?? undefined,
    rule: decision.rule === 'none' ? 'confirm' : decision.rule,
    isSolo: decision.isSolo,
    demands: decision.demands,
    policyVersion: decision.policyVersion,
    pins: await pinsToShow(context, plan.targets),
    ...(operation.startsAt === null ? {} : { decideWithinMs: answerWithinMs }),
    supersedes: operation.id,
  });
  const why = isSame
    ? graver(operation, plan, decision)
    : wasUpgraded(operation, context)
      ? upgraded
      : sayChanged(operation, difference);
  const isStricter = isSame && operation.risk === riskOf(command, plan);
  const kept = isStricter ? await keepVotes(context, operation, again) : 0;
  const votes = kept === 0 ? '' : ` ${count(kept, 'approval')} still ${kept === 1 ? 'counts' : 'count'} on it.`;
  return refuse(context, operation, 'changed', ends.changed(why, votes));
}
