import { type Order, type Target, targetKey } from '../../core/account/account.ts';
import { aside } from '../../core/async/aside.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { timingKey } from '../../core/grammar/timing-keys.ts';
import { isEnd } from '../../core/plan/operation.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Hour } from '../../core/plan/when.ts';
import { defined } from '../../core/text/defined.ts';
import type { Json } from '../../core/text/json.ts';
import { dayInWords, firstFew } from '../../core/text/words.ts';
import { parseProviderDate } from '../../core/view/days.ts';
import { Refusal } from '../../core/view/errors.ts';
import { reviewButton, runButton, says, type Text, text, titleSpan, withCode } from '../../core/view/view.ts';
import { allowedNames } from '../access/allowed-names.ts';
import { decideOnPlan, mustBeApprovable, riskOf } from '../access/decide-plan.ts';
import { mustNotBeFrozen } from '../access/frozen.ts';
import type { ProtectedTarget } from '../access/protections.ts';
import { decideOn, weightsOfLine } from '../access/weights.ts';
import { putOnIt } from '../alerts/acknowledge.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { longestLineToRepeat, operationId } from '../context/request.ts';
import { releaseIfEnded, sayHolder } from '../operation/acquire-locks.ts';
import { announceEnd } from '../operation/announce-end.ts';
import { linksToCards, linkToNewCard } from '../operation/card-links.ts';
import { type Proposal, propose, show, wholeCard } from '../operation/create.ts';
import { readsUntil } from '../operation/ends.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import { type AskedHour, beginsNow, hourUnder, mustNotBeFrozenThen, readHour } from '../time/ask.ts';
import { mustBeRepeatable } from '../time/repeat.ts';
import { breakGlassAsAsked, mustBreakGlass } from './ask-glass.ts';
import { type CommandRequest, mustGiveReason } from './command-request.ts';
import type { CommandAnswer, CommandScope } from './command-scope.ts';
import { isReadOtherwise, mustBeInChannel, notAllowed, saidWith, sayingWhenSlow } from './command-scope.ts';
import { duplicateView, findDuplicate } from './pending-duplicate.ts';
import { mustBeReplaceable } from './replaceable.ts';
import { isDryRun, mustSuitToken, withRoom } from './through-token.ts';

/** Plans an action, makes every check that can refuse it, and posts its card. */
export async function requestPlan(context: EngineContext, scope: CommandScope, command: AnyAction) {
  const { request, place, access } = scope;
  const { actor } = request;
  const id = operationId(request.id);
  // Resumed after a crash: the operation exists and may be under way, so the checks for locks and duplicates do not
  // apply.
  const made = await findOperation(context, id);
  if (made !== undefined) {
    await show(context, id);
    await tellRequester(context, request, made, true);
    return 'asked';
  }
  const replaces =
    request.replaces === undefined ? undefined : await mustBeReplaceable(context, request.replaces, actor);
  const asked = await readHour(context, request, access.policy);
  const { prepared, plan, risk, decision } = await planAllowed(context, scope, command, asked);
  // The alert whose button made the request, or opened its form: that of a ticket.
  const alert = request.alert ?? /^alert:(.+)$/.exec(request.raw.about?.[0] ?? '')?.[1];
  // A press counts also where the request waits already, or lacks a reason. A machine presses nothing.
  if (alert !== undefined && place.call === undefined) await putOnIt(context, actor, alert);
  // A series may have something to do at its hours.
  const isForLater = asked.weekly !== undefined && plan.steps.length > 0;
  if (plan.nothingToDo !== undefined && !isForLater) return sayNothingToDo(context, scope, plan);
  const hour = hourUnder(asked, request, { rule: decision.rule, policy: access.policy, plan });
  const { canonical, notes } = prepared;
  if (hour?.when.kind === 'weekly') await mustBeRepeatable(context, plan, risk);
  if (typeof hour?.startsAt !== 'number') {
    await mustNotBeFrozen(context, place.channel, plan.targets);
    await mustBeFree(context, id, plan.targets.map(targetKey), access);
  } else await mustNotBeFrozenThen(context, { ...request, channel: place.channel }, hour, plan.targets);
  const isSeenFirst = place.call !== undefined || isReadOtherwise(request, notes);
  const decided = {
    // A person sees the line before it does anything, if it was read as something else, or comes from a machine.
    rule: decision.rule === 'none' && isSeenFirst ? 'confirm' : decision.rule,
    isSolo: decision.isSolo,
    policyVersion: decision.policyVersion,
    token: place.call?.token ?? null,
  } as const;
  if (isDryRun(request)) return showDryRun(context, scope, { command, prepared, plan, decided, hour });
  const { anyway, replaces: replaced } = request;
  const alike = { id, command, canonical, targets: plan.targets, replaces: replaced, startsAt: hour?.startsAt ?? null };
  const duplicate = anyway === true ? undefined : await findDuplicate(context, alike, access);
  if (duplicate !== undefined) {
    const link = (await linksToCards(context, [duplicate.operation.id])).get(duplicate.operation.id);
    await context.messenger.postEphemeral(request.place, actor, duplicateView(request, duplicate, place.channel, link));
    return 'asked';
  }
  mustGiveReason(decision.rule, request);
  await mustBreakGlass(context, request, { id, channel: place.channel, rule: decision.rule });
  await mustBeApprovable(context, access, decision, risk, plan);
  const ownWords = await saidWith(context, request, plan, notes);
  const proposal = {
    id,
    askedAt: request.at,
    command,
    canonical,
    plan: { ...endedBefore(scope, plan, hour), ...defined({ until: asked.until }), ...ownWords },
    requester: actor,
    channel: place.channel,
    thread: place.thread,
    ...decided,
    ...defined({ hour, replaces }),
  };
  const token = place.call?.token;
  const make = () => propose(context, proposal);
  const proposed = await (token === undefined ? make() : withRoom(context, id, token, make));
  await tellRequester(context, request, proposed);
  aside(context.alerts.attempted(proposed), context.log, 'showing a request on alerts');
  return 'asked';
}

interface DryRun extends Pick<Awaited<ReturnType<typeof planAllowed>>, 'plan' | 'prepared'> {
  readonly command: AnyAction;
  readonly decided: Pick<Proposal, 'isSolo' | 'policyVersion' | 'rule' | 'token'>;
  readonly hour: Hour | undefined;
}

/** Shows the whole card privately, and asks for nothing. */
async function showDryRun(
  context: EngineContext,
  { request, place }: CommandScope,
  { command, prepared, plan, decided, hour }: DryRun,
): Promise<CommandAnswer> {
  const { id, at, actor, raw, reason } = request;
  const proposal = {
    id: operationId(id),
    askedAt: at,
    command,
    canonical: prepared.canonical,
    plan: { ...plan, ...(await saidWith(context, request, plan, prepared.notes)) },
    requester: actor,
    channel: place.channel,
    thread: place.thread,
    ...decided,
    ...defined({ hour }),
  };
  const { summary, parts } = await wholeCard(context, proposal);
  const line = lineOf(command, { ...raw, [timingKey('dry-run')]: ['no'] }, reason);
  const again = line.length > longestLineToRepeat ? [] : [runButton('Ask for it', line)];
  const below = says('Dry run: nothing was requested.', again);
  await context.messenger.postEphemeral(request.place, actor, { summary, parts: [...parts, ...below.parts] });
  await context.audit({ kind: 'answered', actor, channel: place.channel, text: `dry run: ${plan.title}` });
  return 'answered';
}

/** Decides on the line, plans it, and decides on the plan: it may have more targets and a higher risk than the line. */
async function planAllowed(context: EngineContext, scope: CommandScope, command: AnyAction, asked: AskedHour) {
  const { request, place, access, asking, reading } = scope;
  const prepared = command.prepare(request.raw, reading);
  mustSuitToken(request, [command, ...(prepared.parts ?? []).map((part) => part.command)]);
  const refusal = (targets: readonly Target[], decision: Parameters<typeof notAllowed>[3]) => {
    // The first line that this person may not ask for.
    const line = prepared.parts?.find(
      (part) => !access.decide(part.command.capability, part.command.risk, part.targets).allowed,
    );
    const own = line === undefined ? request : { ...request, command: line.command, raw: line.raw };
    const names = allowedNames(access, line?.targets ?? targets, own);
    return notAllowed(context, own.command, names, decision, { ...scope, request: own });
  };
  const first = decideOn(access, weightsOfLine(command, prepared));
  if (!first.allowed) throw await refusal(prepared.targets, first);
  await mustBeInChannel(context, place, 'it cannot show the card that others have to see');
  // A line without targets, such as ending a freeze, is checked once the plan has named them.
  // At its hour, a scheduled request is checked against the freezes and locks of then.
  if (
    prepared.targets.length > 0 &&
    beginsNow(asked, request.at, { rule: first.rule, policy: access.policy, plan: prepared })
  )
    await mustNotBeFrozen(context, place.channel, prepared.targets);
  const plan = await sayingWhenSlow(context, request, prepared.plan(await context.readContext(asking, access)));
  const risk = riskOf(command, plan);
  const targets = [...prepared.targets, ...plan.targets];
  const decision = await decideOnPlan(context, access, command, { ...plan, targets });
  if (decision.allowed) return { prepared, plan, risk, decision };
  if (decision.protections === undefined) throw await refusal(plan.targets, decision);
  throw withoutProtected(decision.because, decision.protections, request, prepared.canonical);
}

/** Refuses a request for several targets of which some are protected, and offers the line without those. */
function withoutProtected(
  because: Text,
  protections: readonly ProtectedTarget[],
  { command, reason }: Pick<CommandRequest, 'command' | 'reason'>,
  canonical: RawArgs,
): Refusal {
  const ids = new Set(protections.map(({ key }) => key.slice(key.indexOf(':') + 1)));
  const left = Object.fromEntries(
    Object.entries(canonical).map(([name, values]) => [name, values.filter((value) => !ids.has(value))] as const),
  );
  const isShorter = Object.entries(canonical).some(([name, values]) => (left[name]?.length ?? 0) < values.length);
  const isEmpty = Object.keys(canonical).some((name) => left[name]?.length === 0);
  const names = firstFew(protections, 3, ({ name }) => name);
  return new Refusal('pinned', text(because, '.'), {
    hint: 'Nothing was requested.',
    suggestions:
      isShorter && !isEmpty ? [{ label: `Without ${names}`.slice(0, 60), command: lineOf(command, left, reason) }] : [],
  });
}

/** The plan, with a warning where an order of its targets is paid for less long than until the hour, or the end of a series. */
function endedBefore({ reading }: CommandScope, plan: Plan<Json>, hour: Hour | undefined): Plan<Json> {
  const isSeries = hour?.when.kind === 'weekly';
  const last = isSeries ? hour.when.until : (hour?.startsAt ?? 0);
  const ids = new Set(plan.targets.map(({ id }) => id));
  const paidUntil = ({ expires }: Order) => parseProviderDate(expires)?.ms ?? Number.POSITIVE_INFINITY;
  const order = reading.account.orders.find((candidate) => ids.has(candidate.id) && paidUntil(candidate) < last);
  if (order === undefined || plan.warning !== undefined) return plan;
  const day = dayInWords(paidUntil(order));
  const before = isSeries ? 'the series ends' : 'that hour';
  return { ...plan, warning: { text: `${order.label} is paid until ${day}, before ${before}.`, isAvoidable: false } };
}

async function sayNothingToDo(
  context: EngineContext,
  { request, place }: CommandScope,
  { title, nothingToDo = '', instead }: Plan<Json>,
): Promise<CommandAnswer> {
  await context.messenger.postEphemeral(request.place, request.actor, says(withCode(nothingToDo), instead));
  const text = `${title}: ${nothingToDo}`;
  await context.audit({ kind: 'nothing_to_do', actor: request.actor, channel: place.channel, text });
  return 'nothing_to_do';
}

/** After the card, and again after a crash: the end of the replaced request, the place of the card, the broken glass. */
async function tellRequester(context: EngineContext, request: CommandRequest, operation: Operation, isAgain = false) {
  const replaced = request.replaces === undefined ? undefined : await findOperation(context, request.replaces);
  if (replaced !== undefined && isEnd(replaced.state)) {
    // The same commit ended the old request and created the new one. A turn announces the end if this process is killed.
    await announceEnd(context, replaced);
    context.wake(replaced.id);
  }
  await sayWhere(context, request, operation);
  await breakGlassAsAsked(context, request, operation, isAgain);
}

/** Tells the requester where the card is, if it is elsewhere. */
async function sayWhere(
  context: EngineContext,
  { place, from = place, actor }: CommandRequest,
  { id, channel, plan }: Operation,
): Promise<void> {
  if (channel === from.channel && from.dialog === undefined) return;
  const title = titleSpan(plan.title, await linkToNewCard(context, id));
  const end = channel === from.channel ? '.' : '. The rules of that channel decide.';
  const words = says(['Requested in ', { channel }, ': ', title, end], [reviewButton('Show it', id)]);
  await context.messenger.postEphemeral(from, actor, words);
}

/** Refuses if another request holds a lock. Its own lock is ignored: a form submitted twice runs twice at once. */
async function mustBeFree(context: EngineContext, id: string, targets: readonly string[], access: Access) {
  const locks = await context.store.locks.list(targets);
  for (const lock of locks.filter(({ operationId }) => operationId !== id)) {
    if (await releaseIfEnded(context, lock)) continue;
    const holder = await sayHolder(context, lock, access, access.actor.id);
    const until = readsUntil(await context.store.steps.list(lock.operationId));
    const words = `Not now: ${holder} is running on it`;
    const checking: Text =
      until === undefined ? '' : text(': the provider did not answer, and the bot checks until ', until);
    const hint = 'Ask again when that has ended.';
    throw new Refusal('locked', text(words, checking, '.'), { hint, stored: `${words}.` });
  }
}
