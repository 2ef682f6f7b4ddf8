import { targetKey } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { atOnce, type Hour } from '../../core/plan/when.ts';
import { noticeOf, type Rule } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { canonicalJson, hashOf, type Json, toJson } from '../../core/text/json.ts';
import { Refusal } from '../../core/view/errors.ts';
import { plain, type View, type ViewPart } from '../../core/view/view.ts';
import type { CardRows } from '../../store/records/cards.ts';
import { type NewOperation, newOperationRow } from '../../store/records/operation-row.ts';
import type { AlsoChanged } from '../../store/records/operations.ts';
import { newStepRow } from '../../store/records/steps.ts';
import { riskOf } from '../access/decide-plan.ts';
import { protectionsToShow } from '../access/protections.ts';
import { sayNames } from '../access/say-names.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { PutMessage } from '../context/outbox.ts';
import type { MachineToken } from '../context/request.ts';
import { approveWithinMs, confirmWithinMs, drawnWithinMs } from '../context/time-limits.ts';
import { card, longestAct } from './card.ts';
import { mostTasks } from './card-details.ts';
import { type CardNames, namesOnCard } from './card-names.ts';
import { ends } from './ends.ts';
import { recordEntry } from './entry-of.ts';
import { nextButtons } from './next-buttons.ts';
import { type Operation, readOperation, readOperationLeniently, readStepLeniently } from './read-operation.ts';
import { inThreadOf, isOverheard, postToWidenedChannels } from './thread.ts';

export interface Proposal {
  readonly id: string;
  /** The time of the decision if none is required: the machine may sleep before the row is written. */
  readonly askedAt: number;
  readonly command: AnyAction;
  readonly canonical: RawArgs;
  readonly plan: Plan<Json>;
  readonly requester: string;
  readonly channel: string;
  readonly thread: string | undefined;
  /** The token through which a machine asked. */
  readonly token?: MachineToken | null;
  readonly rule: Rule;
  readonly isSolo: boolean;
  readonly policyVersion: number;
  /** The hour before which it does not begin. */
  readonly hour?: Hour;
  /** The time of the decision on the standing approval under which it runs. */
  readonly decidedAt?: number;
  /** How long the decision can be made; by default, as long as the rule allows. */
  readonly decideWithinMs?: number;
  /** The waiting request that ends in the same transaction that creates this one. */
  readonly replaces?: Operation;
  /** Counts a run in its standing approval, in the same transaction. */
  readonly counted?: AlsoChanged;
}

/** The end of the time to decide: at the latest the hour that the requester chose. */
export function decideUntil(
  rule: Rule,
  now: number,
  { hour, decideWithinMs, token }: Pick<Proposal, 'hour' | 'decideWithinMs' | 'token'>,
): number {
  // Nobody waits at the keyboard for the card of a machine.
  const usualMs = typeof rule === 'object' || token != null ? approveWithinMs : confirmWithinMs;
  // A later decision moves the request into the next span of its maintenance window.
  const { startsAt, when } = hour ?? atOnce;
  const latest = when.kind === 'weekly' ? when.until : when.kind === 'window' ? null : startsAt;
  return Math.min(now + (decideWithinMs ?? usualMs), latest ?? Number.POSITIVE_INFINITY);
}

/** Stores the operation and shows its card. A stored operation always gets a named end. */
export async function propose(context: EngineContext, proposal: Proposal): Promise<Operation> {
  const { store, outbox } = context;
  const { plan, hour = atOnce, token } = proposal;
  // Several runs need a decision in any case.
  const rule = proposal.rule === 'none' && hour.when.kind === 'weekly' ? 'confirm' : proposal.rule;
  const decidedAt = proposal.decidedAt ?? (rule === 'none' ? proposal.askedAt : null);
  // The audit comes before the row: after a crash in between, the operation is created under the same id and the entry
  // exists already.
  const by = token == null ? '' : `${token.name}, a token, asks: `;
  await recordEntry(context, proposal, 'asked', `${by}${plan.title}: ${plain(plan.effect)}`, {
    data: {
      command: proposal.command.path,
      args: toJson(proposal.canonical),
      rule: toJson(rule),
      ...(token != null && { token: token.id }),
      policyVersion: proposal.policyVersion,
      ...(hour.when.kind !== 'now' && { startsAt: hour.startsAt, when: toJson(hour.when) }),
      facts: plan.facts,
    },
    unlessThere: ['asked'],
  });
  const { made, planned, rows } = await rowsOf(context, proposal, { rule, decidedAt });
  const names = await namesOnCard(context, readOperation(rows.operation));
  const { replaces } = proposal;
  const endText = replaces && (isSlower(replaces, proposal) ? ends.slower : ends.replaced);
  const patch = { ...defined({ endText }), outcome: { by: proposal.requester } };
  const ended: AlsoChanged | undefined = replaces && {
    id: replaces.id,
    change: (on) => store.operations.move(replaces.id, 'waiting', 'withdrawn', patch, on),
  };
  const also = ended ?? proposal.counted;
  const isNew = await outbox.putNew(made, planned, cardMessage(context, rows, { names }), also);
  if (plan.file !== undefined) await outbox.put(fileMessage(proposal, plan.file));
  if (!isNew && also !== undefined && (await store.operations.find(proposal.id)) === undefined) {
    const { title } = (replaces ?? proposal).plan;
    throw new Refusal('closed', `${title} was decided meanwhile, so nothing was requested in its place.`);
  }
  if (!isNew) return show(context, proposal.id);
  if (replaces !== undefined) context.meter.operation(replaces.command, 'withdrawn');
  const operation = readOperation(rows.operation);
  await wakeOrNotify(context, operation);
  return operation;
}

/** Proposes in the name of an earlier request: for its requester, with its reason, in its channel and thread. */
export function proposeFor(
  context: EngineContext,
  { requester, channel, thread, token, plan: { reason } }: Operation,
  { plan, ...more }: Omit<Proposal, 'requester' | 'channel' | 'thread'>,
): Promise<Operation> {
  const reasoned = { ...plan, ...defined({ reason }) };
  return propose(context, { ...more, plan: reasoned, requester, channel, token, thread: thread ?? undefined });
}

async function rowsOf(context: EngineContext, proposal: Proposal, decided: Decided) {
  const { plan } = proposal;
  const protections = (await protectionsToShow(context, plan.targets)).map(async (protection) => {
    return { ...protection, by: await sayNames(context.directory, protection.by) };
  });
  const made = newOperation(context, proposal, decided, await Promise.all(protections));
  const planned = plan.steps.map((step, n) => ({
    n,
    target: targetKey(step.target),
    label: step.label,
    data: toJson(step.data),
    ...defined({ command: step.command, part: step.part }),
  }));
  const steps = planned.map((step) => newStepRow(made.id, step));
  const rows: CardRows = { operation: newOperationRow(made, context.now()), steps, votes: [] };
  return { made, planned, rows };
}

/** The whole card of a request that is not made. */
export async function wholeCard(context: EngineContext, proposal: Proposal): Promise<View> {
  const { rows } = await rowsOf(context, proposal, { rule: proposal.rule, decidedAt: null });
  const { operation, steps } = rows;
  const read = { ...readOperation(operation), expiresAt: null };
  const facts = { admins: context.settings.admins, isWhole: true, ...(await namesOnCard(context, read)) };
  const { summary, parts } = card(read, steps.map(readStepLeniently), [], facts);
  return { summary, parts: parts.filter(({ kind }) => kind !== 'buttons' && kind !== 'menu') };
}

/** The file is in the thread of the card. */
function fileMessage({ id, channel, thread, plan }: Proposal, file: string): PutMessage {
  const text = `Each change of “${plan.title}”:`;
  const parts: ViewPart[] = [
    { kind: 'text', text },
    { kind: 'code', text: file, isFile: true },
  ];
  return { key: `file:${id}`, channel, ...inThreadOf(id, thread), view: { summary: text, parts } };
}

interface Decided {
  readonly rule: Rule;
  readonly decidedAt: number | null;
}

function newOperation(
  { settings, now }: EngineContext,
  proposal: Proposal,
  { rule, decidedAt }: Decided,
  protections: readonly Json[],
): NewOperation {
  const { plan, hour = atOnce } = proposal;
  const { steps, nothingToDo: _, instead: __, file: ___, act, ...shown } = plan;
  const needsName = typeof rule === 'object' && rule.typed;
  const typedName = plan.typedName ?? plan.targets[0]?.name;
  const createdAt = now();
  return {
    id: proposal.id,
    command: proposal.command.path,
    args: toJson(proposal.canonical),
    channel: proposal.channel,
    thread: proposal.thread ?? null,
    requester: proposal.requester,
    token: proposal.token ?? null,
    risk: riskOf(proposal.command, plan),
    rule: toJson({ rule, isSolo: proposal.isSolo }),
    policyVersion: String(proposal.policyVersion),
    plan: toJson({
      ...shown,
      isSeveral: steps.length > 1,
      ...(steps.length > mostTasks && { isMany: true }),
      ...((plan.parts !== undefined || plan.title.length > longestAct) && { act: act ?? proposal.command.title }),
      madeBy: settings.version,
      ...(needsName && { typedName }),
      ...(protections.length > 0 && { protections: [...protections] }),
    }),
    factsHash: hashOf(plan.facts),
    state: decidedAt === null ? 'waiting' : 'approved',
    decidedAt,
    createdAt,
    expiresAt: decideUntil(rule, createdAt, proposal),
    startsAt: hour.startsAt,
    begins: toJson(hour.when),
  };
}

/** True if the new request differs from the replaced one only in that its steps run one at a time. */
function isSlower({ args: { parallel, ...before } }: Operation, { canonical }: Proposal): boolean {
  const isSame = canonicalJson({ ...before }) === canonicalJson(toJson(canonical));
  return parallel !== undefined && isSame;
}

/**
 * Shows the card and makes the operation due. A waiting operation is due at a decision or at its expiry; it is due now
 * if the rule sends the approvers a direct message at once.
 */
export async function show(context: EngineContext, id: string): Promise<Operation> {
  const operation = await redraw(context, id);
  await wakeOrNotify(context, operation);
  return operation;
}

async function wakeOrNotify(context: EngineContext, operation: Operation): Promise<void> {
  if (operation.state !== 'waiting') return context.wake(operation.id);
  await postToWidenedChannels(context, operation, 'asked');
  if (noticeOf(operation.rule) === 'dm') context.wake(operation.id);
}

/**
 * Draws the card of a request that waits for its hour. The turn that waits does so, not the one that changed the hour: a
 * process that is killed between the two would leave the old card.
 */
export async function redrawIfNew(context: EngineContext, { id, updatedAt }: Operation): Promise<void> {
  if (context.now() - updatedAt < drawnWithinMs) await redraw(context, id);
}

/** Redraws the card from the rows (store/records/cards.ts). */
export async function redraw(context: EngineContext, id: string): Promise<Operation> {
  // Looked up only if the card has something to hide from strangers, since the lookup may call Slack.
  let overheard: boolean | undefined;
  let names: CardNames | undefined;
  for (;;) {
    let channelToAsk: string | undefined;
    let unnamed: Operation | undefined;
    const row = await context.outbox.putCard(id, (rows) => {
      if (showsMore(rows) && overheard === undefined) {
        channelToAsk = rows.operation.channel;
        return undefined;
      }
      if (rows.operation.state === 'waiting' && names === undefined) {
        unnamed = readOperationLeniently(rows.operation);
        return undefined;
      }
      return [cardMessage(context, rows, { isOverheard: overheard === true, names })];
    });
    if (row === undefined) throw new Error(`operation ${id} is gone from the store`);
    if (unnamed !== undefined) names = await namesOnCard(context, unnamed);
    else if (channelToAsk !== undefined) overheard = await isOverheard(context, channelToAsk);
    else return readOperationLeniently(row);
  }
}

/** True if the card shows more than the request itself. */
function showsMore({ operation }: CardRows): boolean {
  return operation.endText !== null || operation.state === 'reading';
}

/** `isOverheard`: strangers may read the channel. */
export function cardMessage(
  context: EngineContext,
  rows: CardRows,
  { isOverheard = false, names }: { isOverheard?: boolean; names?: CardNames | undefined },
): PutMessage {
  const { settings } = context;
  const operation = readOperationLeniently(rows.operation);
  const steps = rows.steps.map(readStepLeniently);
  const view =
    showsMore(rows) && isOverheard
      ? card(
          { ...operation, ...discreet },
          steps.map((step) => ({ ...step, note: null, receipt: null })),
          rows.votes,
        )
      : card(operation, steps, rows.votes, {
          isPaused: settings.isPaused,
          admins: settings.admins,
          now: context.now(),
          next: nextButtons(context, operation, steps),
          ...names,
        });
  return { key: `card:${operation.id}`, channel: operation.channel, threadTs: operation.thread, view };
}

/** The card says that it ended, and not how where strangers can read it. */
const discreet = { endText: ends.discreet, undo: null, outside: null } as const;
