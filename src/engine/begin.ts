import { ProviderError, Refusal, type RefusalReason } from '../core/errors.ts';
import { canonicalJson, hashOf, type Json } from '../core/json.ts';
import type { Plan } from '../core/plan.ts';
import { plain } from '../core/view.ts';
import { emptyWorld, targetKey } from '../core/world.ts';
import type { Turn } from './advance.ts';
import type { AnyAction } from './deps.ts';
import { frozenBy } from './freezes.ts';
import type { Kit } from './kit.ts';
import { operationId, propose, redraw, riskOf } from './propose.ts';
import type { Operation } from './records.ts';
import { notice, sayProviderError } from './say.ts';
import { countingVotes, voidStaleVotes, votesNeeded } from './votes.ts';

/**
 * Between approval and the first write everything is looked at again: who asked, who approved, freezes, locks, and the
 * plan itself. Only if nothing changed does the row go to `running`.
 */
export async function begin(kit: Kit, operation: Operation): Promise<Turn | 'next'> {
  const { store } = kit.deps;
  const command = kit.deps.commands.find((known) => known.path === operation.command);
  if (command?.kind !== 'action') {
    return refuse(
      kit,
      operation,
      'impossible',
      `this version of the bot has no command ${operation.command}. Nothing was done.`,
    );
  }
  if (await reopen(kit, operation)) return 'next';

  const asking = { actor: operation.requester, channel: operation.channel, thread: operation.thread ?? undefined };
  const footing = await kit.footing(operation.requester, operation.channel);
  let plan: Plan<Json>;
  try {
    const world = command.needsWorld ? await kit.deps.world.read({ maxAgeMs: 0 }) : emptyWorld;
    const prepared = command.prepare(operation.args, { world, maySee: () => true });
    plan = await prepared.plan(await kit.readContext(asking, footing));
  } catch (error) {
    return cannotPlan(kit, operation, error);
  }
  const risk = riskOf(command, plan);
  const decision = footing.decide(command.capability, risk, plan.targets);
  if (!decision.allowed) {
    return refuse(kit, operation, decision.reason, `not run: ${plain(decision.because)}. Nothing was done.`);
  }
  const frozen = await frozenBy(kit, operation.channel, plan.targets);
  if (frozen) return refuse(kit, operation, 'frozen', `not run: ${frozen} Nothing was done.`);

  const targets = [...new Set(operation.plan.targets.map(targetKey))];
  const lock = await store.locks.acquire(targets, {
    operationId: operation.id,
    owner: operation.requester,
    reason: operation.plan.title,
  });
  if (!lock.ok) {
    const name =
      operation.plan.targets.find((target) => targetKey(target) === lock.holder.target)?.name ?? lock.holder.target;
    return refuse(
      kit,
      operation,
      'locked',
      `not run: ${name} is held by "${lock.holder.reason}" (${lock.holder.operationId}). Nothing was done; ask again when that has ended.`,
    );
  }
  const isSame = hashOf(plan.facts) === operation.factsHash && plan.nothingToDo === undefined;
  if (!isSame) return changed(kit, operation, command, plan, decision);
  await store.operations.move(operation.id, 'approved', 'running');
  await kit.audit({
    kind: 'started',
    actor: operation.requester,
    channel: operation.channel,
    operation: operation.id,
    text: operation.plan.title,
    data: { policyVersion: decision.policyVersion },
  });
  return 'next';
}

/** A vote that no longer counts sends the card back to waiting. */
async function reopen(kit: Kit, operation: Operation): Promise<boolean> {
  const gone = await voidStaleVotes(kit, operation);
  if (gone.length === 0) return false;
  const left = countingVotes(await kit.deps.store.votes.list(operation.id)).length;
  if (left >= votesNeeded(operation)) return false;
  // Told first: a crash in between tells it again in the same words, which changes nothing.
  for (const { user, why } of gone) {
    await kit.audit({ kind: 'vote_void', actor: user, channel: operation.channel, operation: operation.id, text: why });
    await kit.messages.put({
      key: `void:${operation.id}:${user}`,
      channel: operation.channel,
      ...(operation.thread === null ? { parent: `card:${operation.id}` } : { threadTs: operation.thread }),
      view: notice('warning', ['The approval of ', { user }, ` no longer counts: ${why}. The request waits again.`]),
    });
  }
  await kit.deps.store.operations.move(operation.id, 'approved', 'waiting');
  await redraw(kit, operation.id);
  return true;
}

async function cannotPlan(kit: Kit, operation: Operation, error: unknown): Promise<'next'> {
  if (error instanceof Refusal) return refuse(kit, operation, 'changed', `not run: ${error.message} Nothing was done.`);
  if (error instanceof ProviderError) {
    return refuse(
      kit,
      operation,
      'unavailable',
      `not run: ${sayProviderError('looking at it again before running', error)} Nothing was sent.`,
    );
  }
  throw error;
}

async function refuse(kit: Kit, operation: Operation, reason: RefusalReason, endText: string): Promise<'next'> {
  const { store } = kit.deps;
  if (await store.operations.move(operation.id, 'approved', 'refused', { endReason: reason, endText })) {
    await kit.audit({
      kind: 'refused',
      actor: operation.requester,
      channel: operation.channel,
      operation: operation.id,
      text: endText,
    });
    kit.deps.meter.operation(operation.command, 'refused');
  }
  return 'next';
}

/** Not run; the difference is said, and what holds now is asked anew. */
async function changed(
  kit: Kit,
  operation: Operation,
  command: AnyAction,
  plan: Plan<Json>,
  decision: { rule: Operation['rule']; isSolo: boolean; policyVersion: number },
): Promise<'next'> {
  const name = operation.plan.targets[0]?.name ?? operation.plan.title;
  const difference = differenceOf(operation.plan.facts, plan.facts);
  if (plan.nothingToDo !== undefined) {
    return refuse(kit, operation, 'changed', `not run: ${plan.nothingToDo} ${difference}`.trim());
  }
  const prepared = command.prepare(operation.args, {
    world: command.needsWorld ? await kit.deps.world.read() : emptyWorld,
    maySee: () => true,
  });
  // The new card first: after a crash between the two, this turn finds it there and goes on.
  const next = await propose(kit, {
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
  return refuse(
    kit,
    operation,
    'changed',
    `not run: ${name} changed after it was ${operation.rule === 'none' ? 'asked for' : 'approved'}. ${difference} I have posted a new card (${next.id}) with the present state.`,
  );
}

/** `power: on → off` for each fact that is no longer so. */
export function differenceOf(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = names
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => `${name}: ${sayFact(before[name])} → ${sayFact(after[name])}`);
  return lines.length === 0
    ? ''
    : `${lines.slice(0, 8).join('; ')}${lines.length > 8 ? `; and ${lines.length - 8} more` : ''}.`;
}

function sayFact(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'object') return canonicalJson(value).slice(0, 120);
  return String(value).slice(0, 120);
}
