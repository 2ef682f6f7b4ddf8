import type { RawArgs } from '../../core/grammar/shapes.ts';
import { differenceOf } from '../../core/plan/difference.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { isGuarded } from '../../core/policy/pins.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { canonicalJson, type Json } from '../../core/text/json.ts';
import { count } from '../../core/text/words.ts';
import { countingVotes, voterOf } from '../access/count-votes.ts';
import { withPin } from '../access/decide-plan.ts';
import type { Pinned } from '../access/pins.ts';
import { sayIds } from '../access/say-names.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import { answerWithinMs, freshMs } from '../context/time-limits.ts';
import { needsName } from '../operation/card.ts';
import { type Hour, propose, redraw, riskOf } from '../operation/create.ts';
import { replacementSeed } from '../operation/cut-off.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import type { Operation } from '../operation/record.ts';
import { graver, sayChanged, upgraded, wasUpgraded } from '../operation/say-changed.ts';
import { mayVote } from '../operation/vote-rules.ts';
import { hourIn, windowOf } from './window-hour.ts';

/** Replaces an approved request whose plan has changed since by a request for the present plan. */

/** The part of a request or of a decision that names the approvers. */
type Asked = Pick<Operation, 'rule' | 'isSolo'>;

/** True if the channel's rule is stricter now than at the decision. */
function asksMore(now: Asked, then: Asked): boolean {
  if (typeof now.rule === 'string') return now.rule === 'confirm' && then.rule === 'none';
  return decidedBy(now) !== decidedBy(then) || (then.isSolo && !now.isSolo);
}

/** A pin that was removed since asks for less: the earlier approvals suffice. */
export function asksMoreNow(now: Asked & { readonly pins: readonly Pinned[] }, then: Operation): boolean {
  if (!asksMore(now, then)) return false;
  const wasPinned = isGuarded(then.risk) && now.pins.length === 0 && then.plan.pins !== undefined;
  return !wasPinned || asksMore(withPin(now), then);
}

/** The part of the rule that determines the deciders; how approvers are notified and when it begins are not part of it. */
function decidedBy({ rule }: Asked): string {
  if (typeof rule === 'string') return rule;
  const { notify: _, reason: __, window: ___, grace: ____, ...deciding } = rule;
  return canonicalJson(deciding);
}

/** The new request begins once it is decided, but only in its maintenance window. */
async function hourAgain(
  context: EngineContext,
  { timing, channel, requester }: Operation,
  plan: Plan<Json>,
  rule: Rule,
): Promise<Hour | undefined> {
  const window = windowOf(await context.policies.get(channel), { rule, plan, timing });
  if (window === undefined) return undefined;
  const { timeZone, ifFrozen } = timing ?? { ...(await context.directory.person(requester)), ifFrozen: 'refuse' };
  return hourIn(window, context.now(), {
    words: timing?.window === undefined ? '' : window.name,
    timeZone: timeZone ?? 'UTC',
    ifFrozen,
    rule,
  });
}

/** Refuses the operation with the difference as its reason, and requests the present plan anew. */
export async function proposeAgain(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  { plan, canonical, isSame }: { readonly plan: Plan<Json>; readonly canonical: RawArgs; readonly isSame: boolean },
  decision: Asked & { readonly policyVersion: number; readonly pins: readonly Pinned[] },
): Promise<'next'> {
  if (plan.nothingToDo !== undefined) {
    return refuse(context, operation, 'changed', ends.nothingToDo(plan.nothingToDo));
  }
  if (operation.timing?.run !== undefined)
    return isSame
      ? refuse(context, operation, 'not_granted', ends.notRun(reasons.asksMore))
      : refuse(context, operation, 'changed', ends.notRun(reasons.changedAtHour));
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
    policyVersion: decision.policyVersion,
    ...defined({ hour: await hourAgain(context, operation, plan, decision.rule) }),
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

/**
 * Copies the approvals that still count to the same request under a stricter rule, and returns their number. The next
 * turn of that request audits them.
 */
async function keepVotes(context: EngineContext, from: Operation, to: Operation): Promise<number> {
  const { votes } = context.store;
  // The approvers of the first request did not type the name.
  if (needsName(to.rule) && !needsName(from.rule)) return 0;
  let kept = 0;
  for (const { userId, vote, at } of countingVotes(await votes.list(from.id))) {
    if (vote !== 'approve' || !mayVote(to, await voterOf(context, to, userId, freshMs)).ok) continue;
    await votes.cast({ operationId: to.id, userId, vote, at });
    kept += 1;
  }
  if (kept === 0) return 0;
  await redraw(context, to.id);
  context.wake(to.id);
  return kept;
}
