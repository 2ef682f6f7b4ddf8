import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { isGlassBroken } from '../../core/plan/broken-glass.ts';
import { differenceOf } from '../../core/plan/difference.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { isGuarded } from '../../core/policy/protection.ts';
import { sayRule } from '../../core/policy/say-rule.ts';
import { defined } from '../../core/text/defined.ts';
import { canonicalJson, type Json } from '../../core/text/json.ts';
import { count, sentenceStart } from '../../core/text/words.ts';
import { notice, peopleIn, plain, says, text } from '../../core/view/view.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes, isDecided } from '../access/count-votes.ts';
import { riskOf, withProtection } from '../access/decide-plan.ts';
import { type ProtectedTarget, sayProtected } from '../access/protections.ts';
import { personName, sayIds } from '../access/say-names.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/request.ts';
import { answerWithinMs } from '../context/time-limits.ts';
import { proposeFor, redraw } from '../operation/create.ts';
import { refuse, replacementSeed } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import type { Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';
import { keepVotes, recordVotes, votesOfNow } from '../operation/votes.ts';
import { hourAgain, windowOf } from '../time/windows.ts';
import { announceGlass } from './announce-glass.ts';
import { reopenNotices } from './notices.ts';

/** Replaces an approved request whose plan has changed since by a request for the present plan. */

/** The part of a request or of a decision that names the approvers. */
type Asked = Pick<Operation, 'rule' | 'isSolo'>;

interface Decided extends Asked {
  readonly policyVersion: number;
  readonly protections: readonly ProtectedTarget[];
}

/** True if the channel's rule is stricter now than at the decision. */
function asksMore(now: Asked, then: Asked): boolean {
  if (typeof now.rule === 'string') return now.rule === 'confirm' && then.rule === 'none';
  return decidedBy(now) !== decidedBy(then) || (then.isSolo && !now.isSolo);
}

/** A protection that was removed since asks for less: the earlier approvals suffice. */
export function asksMoreNow(now: Decided, then: Operation): boolean {
  if (!asksMore(now, then)) return false;
  const wasProtected = isGuarded(then.risk) && now.protections.length === 0 && then.plan.protections !== undefined;
  return !wasProtected || asksMore(withProtection(now), then);
}

/** The part of the rule that determines the deciders; how approvers are notified and when it begins are not part of it. */
function decidedBy({ rule }: Asked): string {
  if (typeof rule === 'string') return rule;
  const { notify: _, reason: __, window: ___, grace: ____, ...deciding } = rule;
  return canonicalJson(deciding);
}

/** Refuses the operation with the difference as its reason, and requests the present plan anew. */
export async function proposeAgain(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  { plan, canonical, isSame }: { readonly plan: Plan<Json>; readonly canonical: RawArgs; readonly isSame: boolean },
  decision: Decided,
): Promise<'next'> {
  if (plan.nothingToDo !== undefined) {
    return refuse(context, operation, 'changed', ends.nothingToDo(plan.nothingToDo));
  }
  if (operation.when.kind === 'run')
    return isSame
      ? refuse(context, operation, 'not_granted', ends.notRun(reasons.asksMore))
      : refuse(context, operation, 'changed', ends.notRun(reasons.changedAtHour));
  const asked = { rule: decision.rule, plan, when: operation.when };
  const window = windowOf(await context.policies.get(operation.channel), asked);
  const difference = await sayIds(context.directory, differenceOf(operation.plan.facts, plan.facts));
  const why = isSame
    ? graver(operation, plan, decision)
    : wasUpgraded(operation, context)
      ? upgraded
      : sayChanged(operation, difference);
  const lostAt = window === undefined ? operation.startsAt : null;
  // The new card comes first: after a crash in between, the repeated turn finds the card and continues.
  const again = await proposeFor(context, operation, {
    id: operationId(replacementSeed(operation.id)),
    askedAt: context.now(),
    command,
    canonical,
    plan: { ...plan, ...defined({ until: operation.plan.until }), again: { why, lostAt } },
    rule: decision.rule === 'none' ? 'confirm' : decision.rule,
    isSolo: decision.isSolo,
    policyVersion: decision.policyVersion,
    // The request begins after its approval, in its maintenance window.
    ...(window && { hour: await hourAgain(context, operation, window, context.now(), decision.rule) }),
    ...(operation.startsAt === null ? {} : { decideWithinMs: answerWithinMs }),
  });
  const isStricter = isSame && operation.risk === riskOf(command, plan);
  const kept = isStricter ? await keepVotes(context, operation, again) : 0;
  if (kept > 0) {
    await redraw(context, again.id);
    context.wake(again.id);
  } else await askAgain(context, operation, again, why);
  const votes = kept === 0 ? '' : ` ${count(kept, 'approval')} still ${kept === 1 ? 'counts' : 'count'} on it.`;
  return refuse(context, operation, 'changed', ends.changed(why, votes));
}

/** Asks the people who approved the first request, in the thread of the second. */
async function askAgain(context: EngineContext, first: Operation, again: Operation, why: string): Promise<void> {
  const votes = countingVotes(await context.store.votes.list(first.id));
  const people = votes.map(({ userId }) => userId).filter((user) => user !== first.requester);
  if (people.length === 0) return;
  const words = text(peopleIn(people), ` approved it before it changed. ${sentenceStart(why)} It needs you again.`);
  await notifyThread(context, again, `again:${again.id}`, says(words));
}

/** Sentences about a plan that is not the approved one. */

/** Words for facts whose values are version numbers, which mean nothing to people. */
const ofChannel: Readonly<Record<string, string>> = {
  'policy version': 'The rights of this channel',
  'alerts version': 'The alerts of this channel',
};

export const upgraded = 'The bot was upgraded since it was requested.';

/** Another version may word the same facts differently, so no difference is shown. */
export function wasUpgraded({ plan }: Pick<Operation, 'plan'>, { settings }: EngineContext): boolean {
  return plan.madeBy !== undefined && plan.madeBy !== settings.version;
}

function sayChanged({ plan }: Pick<Operation, 'plan'>, difference: string): string {
  const kept = Object.keys(plan.facts).flatMap((fact) => ofChannel[fact] ?? [])[0];
  if (kept !== undefined) return `${kept} changed since the request.`;
  const [target] = plan.targets;
  const own = target?.kind === 'channel' ? 'This channel' : (target?.name ?? plan.title);
  // The difference of a plan of several lines has the names.
  const name = plan.parts === undefined ? own : 'A target';
  return `${name} changed since the request. ${difference}`.trim();
}

/** Explains why more is required than at the approval, with the same facts: a higher risk or a stricter rule. */
function graver(operation: Operation, { raised }: Pick<Plan<Json>, 'raised'>, { rule, protections }: Decided): string {
  const protectedBefore = new Set((operation.plan.protections ?? []).map(({ key }) => key));
  const since = protections.filter(({ key }) => !protectedBefore.has(key));
  if (since.length > 0) return `${sayProtected(since)}. It was pinned after the request: ${plain(sayRule(rule))}.`;
  return raised !== undefined && operation.risk !== raised.risk
    ? `its risk is higher now than when it was requested. ${plain(raised.why)}`
    : `the rule of this channel changed since the request: ${plain(sayRule(rule))}.`;
}

/**
 * Audits the votes and, if they are enough, approves the request and returns true. The time of the decision is that of
 * the last vote, not the present: a machine that sleeps or a process killed in between then counts as an absence.
 */
export async function decide(context: EngineContext, operation: Operation, all: readonly VoteRow[]): Promise<boolean> {
  const votes = countingVotes(all);
  await recordVotes(context, operation, votes);
  const glass = isGlassBroken(operation) ? operation.glass : null;
  // The others know before it begins.
  if (glass !== null) await announceGlass(context, operation, glass);
  else if (!isDecided(operation.rule, votes)) return false;
  const decidedAt = glass?.at ?? Math.max(...votes.map(({ at }) => at));
  await context.store.operations.move(operation.id, 'waiting', 'approved', { decidedAt });
  return true;
}

/**
 * Returns the card to `waiting` if a vote no longer counts. The stored rows decide, not the votes that this turn
 * voided: an earlier turn may have been killed after voiding a vote and before the notification. `unsure` if Slack did
 * not answer.
 */
export async function reopen(context: EngineContext, operation: Operation): Promise<'yes' | 'no' | 'unsure'> {
  if (operation.rule === 'none') return 'no';
  const { votes, isEnough, isUnsure } = await votesOfNow(context, operation);
  if (isEnough) return 'no';
  if (isUnsure) return 'unsure';
  if (operation.when.kind === 'run') {
    const gone = votes.find(({ isVoid }) => isVoid);
    const why =
      gone === undefined
        ? reasons.standingEnded
        : reasons.voidApproval(await personName(context, gone.userId), gone.why ?? 'they may not approve this now');
    await refuse(context, operation, 'not_granted', ends.notRun(why));
    return 'yes';
  }
  for (const { userId, why } of votes.filter((vote) => vote.isVoid)) {
    const words = ` no longer counts: ${why ?? 'they may not approve this now'}. The request waits again.`;
    const view = notice('warning', ['The approval of ', { user: userId }, words]);
    await notifyThread(context, operation, `void:${operation.id}:${userId}`, view);
  }
  // An operation that waits for people holds no locks; an earlier turn may have acquired some.
  await context.store.locks.release(operation.id, context.owner);
  // The time to decide ended at the hour, so the approvers get another.
  const again = operation.startsAt === null ? {} : { expiresAt: context.now() + answerWithinMs };
  await context.store.operations.move(operation.id, 'approved', 'waiting', { delayWhy: null, readyAt: null, ...again });
  await redraw(context, operation.id);
  await reopenNotices(context, operation);
  return 'yes';
}
