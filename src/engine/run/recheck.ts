import { emptyAccount, type Target, targetKey } from '../../core/account.ts';
import { ProviderError, Refusal, type RefusalReason } from '../../core/errors.ts';
import { canonicalJson, hashOf, type Json } from '../../core/json.ts';
import type { Plan } from '../../core/plan.ts';
import { describeRule, type Rule } from '../../core/policy.ts';
import { notice, plain } from '../../core/view.ts';
import { decideOnPlan } from '../access/decide-plan.ts';
import { frozenBy } from '../access/freezes.ts';
import { countingVotes, freshMs, votesNeeded, votesOfNow } from '../approval/vote-rules.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId, propose, redraw, riskOf } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { sayProviderError } from '../operation/error-view.ts';
import type { Operation } from '../operation/record.ts';
import { tellInThread } from '../operation/thread.ts';
import type { Turn } from './turn.ts';

/** As long as what was taken in before a crash is worked on after it (door.ts), and some. */
const beginWithinMs = 15 * 60_000;

/**
 * Between approval and the first write everything is looked at again: who asked, who approved, freezes, locks, and the
 * plan itself. Only if nothing changed does the row go to `running`.
 */
export async function recheck(context: EngineContext, operation: Operation): Promise<Turn | 'next'> {
  const { store } = context;
  const command = context.commands.find((known) => known.path === operation.command);
  if (command?.kind !== 'action') {
    return refuse(
      context,
      operation,
      'impossible',
      `this version of the bot has no command ${operation.command}. Nothing was done.`,
    );
  }
  // Between decision and run lie milliseconds, unless nobody was there to run it: by then it is no longer what was meant.
  if (context.now() - (operation.decidedAt ?? operation.createdAt) > beginWithinMs) {
    return refuse(
      context,
      operation,
      'closed',
      'not run: it was decided while I was away, and too long ago to run by surprise. Nothing was done; ask again if you still want it.',
    );
  }
  if (await reopen(context, operation)) return 'next';
  // Before it is looked at: what somebody else changes meanwhile would not be in what was read.
  const held = await hold(context, operation);
  if (held !== undefined) return refuse(context, operation, 'locked', held);

  const asking = { actor: operation.requester, channel: operation.channel, thread: operation.thread ?? undefined };
  const access = await context.accessOf(operation.requester, operation.channel, freshMs);
  let plan: Plan<Json>;
  let named: readonly Target[];
  try {
    const account = command.needsWorld ? await context.accountReader.read({ maxAgeMs: 0 }) : emptyAccount;
    const prepared = command.prepare(operation.args, { account, maySee: () => true });
    named = prepared.targets;
    plan = await prepared.plan(await context.readContext(asking, access));
  } catch (error) {
    return cannotPlan(context, operation, error);
  }
  const weight = { capability: command.capability, risk: riskOf(command, plan) };
  const decision = await decideOnPlan(context, access, weight, { ...plan, targets: [...named, ...plan.targets] });
  if (!decision.allowed) {
    return refuse(context, operation, decision.reason, `not run: ${plain(decision.because)}. Nothing was done.`);
  }
  const frozen = await frozenBy(context, operation.channel, plan.targets);
  if (frozen) return refuse(context, operation, 'frozen', `not run: ${frozen} Nothing was done.`);

  const isSame = hashOf(plan.facts) === operation.factsHash && plan.nothingToDo === undefined;
  if (!isSame) return changed(context, operation, command, plan, decision);
  if (asksMore(decision, operation)) return changed(context, operation, command, plan, decision);
  // Written down first, as everything that a crash could leave out: this turn is taken again, and finds the line there.
  await context.audit({
    kind: 'started',
    actor: operation.requester,
    channel: operation.channel,
    operation: operation.id,
    text: operation.plan.title,
    data: { policyVersion: decision.policyVersion },
    unlessThere: ['started'],
  });
  await store.operations.move(operation.id, 'approved', 'running');
  return 'next';
}

/** Who holds one of the targets, in words; undefined when they are this operation's now. */
async function hold(context: EngineContext, operation: Operation): Promise<string | undefined> {
  const { targets, title } = operation.plan;
  const lock = await context.store.locks.acquire([...new Set(targets.map(targetKey))], {
    operationId: operation.id,
    owner: operation.requester,
    reason: title,
  });
  if (lock.ok) return undefined;
  const { target: key, reason, operationId: holder } = lock.holder;
  const name = targets.find((target) => targetKey(target) === key)?.name ?? key;
  return `not run: ${name} is held by "${reason}" (${holder}). Nothing was done; ask again when that has ended.`;
}

interface Asked {
  readonly rule: Rule;
  readonly isSolo: boolean;
}

/** Whether the channel's rule is another now, and not merely a weaker kind of asking. */
function asksMore(now: Asked, then: Asked): boolean {
  if (typeof now.rule === 'string') return now.rule === 'confirm' && then.rule === 'none';
  return canonicalJson(now.rule) !== canonicalJson(then.rule) || (then.isSolo && !now.isSolo);
}

/**
 * A vote that no longer counts sends the card back to waiting. The rows decide, not what this turn voided: a turn that
 * was cut off after the void must not count it as told and go on.
 */
async function reopen(context: EngineContext, operation: Operation): Promise<boolean> {
  if (votesNeeded(operation) === 0) return false;
  const votes = await votesOfNow(context, operation);
  if (countingVotes(votes).length >= votesNeeded(operation)) return false;
  // Told first: a crash in between tells it again in the same words, which changes nothing.
  for (const { userId, why } of votes.filter((vote) => vote.isVoid)) {
    const words = ` no longer counts: ${why ?? 'they may not approve this now'}. The request waits again.`;
    const view = notice('warning', ['The approval of ', { user: userId }, words]);
    await tellInThread(context, operation, `void:${operation.id}:${userId}`, view);
  }
  await context.store.operations.move(operation.id, 'approved', 'waiting');
  await redraw(context, operation.id);
  return true;
}

async function cannotPlan(context: EngineContext, operation: Operation, error: unknown): Promise<'next'> {
  if (error instanceof Refusal)
    return refuse(context, operation, 'changed', `not run: ${error.message} Nothing was done.`);
  if (error instanceof ProviderError) {
    return refuse(
      context,
      operation,
      'unavailable',
      `not run: ${sayProviderError('looking at it again before running', error)} Nothing was sent.`,
    );
  }
  throw error;
}

async function refuse(
  context: EngineContext,
  operation: Operation,
  reason: RefusalReason,
  endText: string,
): Promise<'next'> {
  await end(context, operation, 'approved', 'refused', { endReason: reason, endText });
  return 'next';
}

/** Not run; the difference is said, and what holds now is asked anew. */
async function changed(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  plan: Plan<Json>,
  decision: Asked & { readonly policyVersion: number },
): Promise<'next'> {
  const name = operation.plan.targets[0]?.name ?? operation.plan.title;
  const difference = differenceOf(operation.plan.facts, plan.facts);
  const since = operation.rule === 'none' ? 'asked for' : 'approved';
  if (plan.nothingToDo !== undefined) {
    return refuse(context, operation, 'changed', `not run: ${plan.nothingToDo} ${difference}`.trim());
  }
  const prepared = command.prepare(operation.args, {
    account: command.needsWorld ? await context.accountReader.read() : emptyAccount,
    maySee: () => true,
  });
  // The new card first: after a crash between the two, this turn finds it there and goes on.
  const next = await propose(context, {
    id: operationId(`again:${operation.id}`),
    command,
    canonical: prepared.canonical,
    plan,
    requester: operation.requester,
    channel: operation.channel,
    thread: operation.thread ?? undefined,
    rule: decision.rule === 'none' ? 'confirm' : decision.rule,
    isSolo: decision.isSolo,
    policyVersion: decision.policyVersion,
    supersedes: operation.id,
  });
  const why =
    difference === ''
      ? `the rule of this channel changed after it was ${since}: ${describeRule(decision.rule)}.`
      : `${name} changed after it was ${since}. ${difference}`;
  return refuse(
    context,
    operation,
    'changed',
    `not run: ${why} I have posted a new card (${next.id}) with the present state.`,
  );
}

/** `power: on → off` for each fact that is no longer so. */
export function differenceOf(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>): string {
  const known = renamed(before, after);
  const names = [...new Set([...Object.keys(known), ...Object.keys(after)])];
  const lines = names
    .filter((name) => canonicalJson(known[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => `${name}: ${sayFact(known[name])} → ${sayFact(after[name])}`);
  return lines.length === 0
    ? ''
    : `${lines.slice(0, 8).join('; ')}${lines.length > 8 ? `; and ${lines.length - 8} more` : ''}.`;
}

/** Under its new name: what was `power of web-1` is not gone because web-1 is called otherwise now. */
function renamed(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>) {
  const newNames = new Map<string, Json | undefined>();
  for (const [fact, name] of Object.entries(before)) {
    if (fact.startsWith('name of ')) newNames.set(` of ${String(name)}`, after[fact]);
  }
  return Object.fromEntries(
    Object.entries(before).map(([fact, value]) => {
      const ending = [...newNames.keys()].find((one) => fact.endsWith(one));
      const name = ending === undefined ? undefined : newNames.get(ending);
      return [
        ending === undefined || typeof name !== 'string' ? fact : `${fact.slice(0, -ending.length)} of ${name}`,
        value,
      ];
    }),
  );
}

function sayFact(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'object') return canonicalJson(value).slice(0, 120);
  return String(value).slice(0, 120);
}
