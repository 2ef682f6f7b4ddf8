import { type Target, targetKey } from '../../core/account/account.ts';
import { aside } from '../../core/async/aside.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { usage } from '../../core/grammar/usage.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says, text, type View, withCode } from '../../core/view/view.ts';
import { accessAt } from '../access/access-at.ts';
import { allowedNames } from '../access/allowed-names.ts';
import { decideOnPlan } from '../access/decide-plan.ts';
import { mustBeApprovable } from '../access/enough-approvers.ts';
import { frozenBy, sayFrozen, sayFrozenBriefly } from '../access/freezes.ts';
import { pinsToShow } from '../access/pins.ts';
import { putOnIt } from '../alerts/acknowledge.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import { operationId } from '../context/operation-id.ts';
import type { Place, Request } from '../context/request.ts';
import { type TypedLine, withDomains } from '../context/typed-line.ts';
import { linksToCards } from '../operation/card-links.ts';
import { propose, riskOf, show } from '../operation/create.ts';
import { cutOff } from '../operation/cut-off.ts';
import { releaseIfEnded, sayHolder } from '../operation/locks.ts';
import { readOperationLeniently } from '../operation/record.ts';
import { answer } from './answer.ts';
import { breakGlassAsAsked, mustSayWhyForGlass } from './ask-glass.ts';
import { resolveChannel, whichChannel } from './channel-of-policy.ts';
import { type CommandRequest, fromButton, wayOf } from './command-request.ts';
import {
  type CommandAnswer,
  type CommandScope,
  commandScopeOf,
  mustBeInChannel,
  notAllowed,
  noteAnswer,
  sayingWhenSlow,
} from './command-scope.ts';
import { lastKnown, wasUnavailable } from './last-known.ts';
import { mustGiveReason } from './must-give-reason.ts';
import { offeredHere } from './offer.ts';
import { duplicateView, findDuplicate } from './pending-duplicate.ts';
import { hasPressed, pressStanding } from './press-standing.ts';
import { mustBeRepeatable, mustHaveButton } from './read-every.ts';
import { beginsNow, hourUnder, readHour } from './read-hour.ts';
import { isReadOtherwise, refusalElsewhere, saidWith } from './read-otherwise.ts';
import { announceReplaced, mustBeReplaceable } from './replace.ts';
import { sayWhere } from './say-where.ts';
import { withSuggestions } from './with-suggestions.ts';
import { withoutPinned } from './without-pinned.ts';

export async function runLine(
  context: EngineContext,
  request: Request,
  place: Place,
  typed: TypedLine,
): Promise<CommandAnswer> {
  const { messenger } = context;
  const { id, at, actor } = request;
  const { parsed } = await withDomains(context, typed);
  if (parsed.kind === 'command' && parsed.missing.length === 0) {
    const { command, raw, note, isTaken, reason, under } = parsed;
    const way = wayOf(request, parsed.isShared);
    const details = defined({ way, note, reason, isTaken, under, typed: typed.text, ...fromButton(request) });
    return fulfill(context, { id, at, actor, place, command, raw, ...details }, refusalElsewhere(place, under));
  }
  const access = await accessAt(context, actor, place);
  const welcome = access.decide('none', 'safe', []);
  if (!welcome.allowed) {
    await messenger.postEphemeral(place, actor, says(text('Not here: ', welcome.because, '.')));
    return 'refused';
  }
  if (parsed.kind === 'menu') {
    await messenger.postEphemeral(place, actor, await context.menu(access, place));
    return 'answered';
  }
  if (parsed.kind === 'problem') {
    await messenger.postEphemeral(
      place,
      actor,
      errorView(await offeredHere(context, actor, place, parsed.refusal), typed.text, context.log, {
        line: typed.text,
      }),
    );
    return 'not_understood';
  }
  const line = lineOf(parsed.command, parsed.raw);
  const view = says(
    [
      { code: parsed.command.path },
      ` also needs ${parsed.missing.join(', ')}: `,
      { code: `/host ${usage(parsed.command)}` },
    ],
    [{ label: 'Fill in', intent: { do: 'form', line }, style: 'primary', opens: true }],
  );
  await messenger.postEphemeral(place, actor, view);
  return 'not_understood';
}

/** Never throws: shows an error to the person privately. */
export async function fulfill(
  context: EngineContext,
  request: CommandRequest,
  earlierError?: unknown,
): Promise<CommandAnswer> {
  const doing = lineOf(request.command, request.raw);
  try {
    if (earlierError !== undefined) throw earlierError;
    return await attempt(context, request);
  } catch (error) {
    await context.messenger.postEphemeral(request.place, request.actor, await failureView(context, request, error));
    const kind = error instanceof Refusal ? 'refused' : 'failed';
    await noteAnswer(context, {
      kind,
      actor: request.actor,
      channel: request.place.channel,
      ...defined({
        operation: request.command.kind === 'action' ? (await cutOff(context, request.id))?.id : undefined,
      }),
      text: `${doing}: ${error instanceof Error ? error.message : 'an error'}`,
      ...(error instanceof Refusal ? { data: { reason: error.reason } } : {}),
    });
    return kind;
  }
}

async function failureView(context: EngineContext, request: CommandRequest, error: unknown): Promise<View> {
  const doing = lineOf(request.command, request.raw);
  let failed = error;
  try {
    if (wasUnavailable(error, request)) return await lastKnown(context, request, error);
  } catch (refused) {
    failed = refused;
  }
  const refusal =
    failed instanceof Refusal
      ? await offeredHere(context, request.actor, request.place, withSuggestions(failed, request))
      : failed;
  return errorView(refusal, doing, context.log, { line: doing, isRead: request.command.kind === 'query' });
}

export async function attempt(context: EngineContext, request: CommandRequest): Promise<CommandAnswer> {
  const { command } = request;
  const resolved = await resolveChannel(context, request);
  if ('channels' in resolved) {
    await context.messenger.postEphemeral(request.place, request.actor, await whichChannel(context, request, resolved));
    return 'asked';
  }
  const scope = await commandScopeOf(context, request, resolved);
  return command.kind === 'query' ? answer(context, scope, command) : requestPlan(context, scope, command);
}

async function requestPlan(
  context: EngineContext,
  { request, place, access, asking, reading }: CommandScope,
  command: AnyAction,
): Promise<CommandAnswer> {
  const { actor } = request;
  const id = operationId(request.id);
  // Resumed after a crash: the operation exists and may be under way, so the checks for locks and duplicates do not
  // apply.
  const made = await context.store.operations.find(id);
  if (made !== undefined) {
    await show(context, id);
    await announceReplaced(context, request.replaces);
    await sayWhere(context, request, readOperationLeniently(made));
    await breakGlassAsAsked(context, request, readOperationLeniently(made), true);
    return 'asked';
  }
  if (await hasPressed(context, request)) return 'asked';
  const replaces =
    request.replaces === undefined ? undefined : await mustBeReplaceable(context, request.replaces, actor);
  const { policy } = access;
  const asked = await readHour(context, request, policy);
  const prepared = command.prepare(request.raw, reading);
  const decision = access.decide(command.capability, command.risk, prepared.targets);
  if (!decision.allowed)
    throw await notAllowed(context, command, allowedNames(access, prepared.targets, request), decision, {
      request,
      access,
      place,
    });
  await mustBeInChannel(context, place, 'it cannot show the card that others have to see');
  // A line without targets, such as ending a freeze, is checked once the plan has named them.
  // At its hour, a scheduled request is checked against the freezes and locks of then.
  if (prepared.targets.length > 0 && beginsNow(asked, request.at, { ...decision, policy, plan: prepared }))
    await mustNotBeFrozen(context, place.channel, prepared.targets);
  const plan = await sayingWhenSlow(context, request, prepared.plan(await context.readContext(asking, access)));
  // The plan may affect more targets than the line names and have a higher risk than its command.
  const weight = { capability: command.capability, risk: riskOf(command, plan) };
  const final = await decideOnPlan(context, access, weight, {
    ...plan,
    targets: [...prepared.targets, ...plan.targets],
  });
  if (!final.allowed && final.pins !== undefined)
    throw withoutPinned(final.because, final.pins, request, prepared.canonical);
  if (!final.allowed)
    throw await notAllowed(context, command, allowedNames(access, plan.targets, request), final, {
      request,
      access,
      place,
    });
  if (plan.nothingToDo !== undefined) {
    await context.messenger.postEphemeral(request.place, actor, says(withCode(plan.nothingToDo), plan.instead));
    await context.audit({
      kind: 'nothing_to_do',
      actor,
      channel: place.channel,
      text: `${plan.title}: ${plan.nothingToDo}`,
    });
    return 'nothing_to_do';
  }
  const hour = hourUnder(asked, request, { rule: final.rule, policy, plan });
  const { every } = hour?.timing ?? {};
  if (every !== undefined) await mustBeRepeatable(context, plan, weight.risk);
  if (every !== undefined && every.weekly === undefined) mustHaveButton(command, prepared.canonical, plan.targets);
  else if (typeof hour?.startsAt !== 'number') {
    await mustNotBeFrozen(context, place.channel, plan.targets);
    await mustBeFree(context, id, plan.targets.map(targetKey), access);
  }
  const { canonical } = prepared;
  if (await pressStanding(context, request, { channel: place.channel, command, canonical, hour })) return 'asked';
  const alike = {
    ...{ id, command, canonical, targets: plan.targets, replaces: request.replaces },
    ...{ startsAt: hour?.startsAt ?? null, isOnAlert: every !== undefined && every.weekly === undefined },
  };
  const duplicate = request.anyway === true ? undefined : await findDuplicate(context, alike, access);
  if (duplicate !== undefined) {
    const link = (await linksToCards(context, [duplicate.operation.id])).get(duplicate.operation.id);
    await context.messenger.postEphemeral(request.place, actor, duplicateView(request, duplicate, place.channel, link));
    return 'asked';
  }
  mustGiveReason(final.rule, request);
  mustSayWhyForGlass(request);
  await mustBeApprovable(context, final.demands, {
    actor,
    channel: place.channel,
    risk: weight.risk,
    pins: final.pins,
  });
  const proposed = await propose(context, {
    id,
    askedAt: request.at,
    command,
    canonical,
    plan: { ...plan, ...(await saidWith(context, request, plan, prepared.notes)) },
    requester: actor,
    channel: place.channel,
    thread: place.thread,
    // A line that was read as something else is shown before it does anything.
    rule: final.rule === 'none' && isReadOtherwise(request, prepared.notes) ? 'confirm' : final.rule,
    isSolo: final.isSolo,
    demands: final.demands,
    policyVersion: final.policyVersion,
    pins: await pinsToShow(context, plan.targets),
    ...defined({ hour, replaces }),
  });
  await announceReplaced(context, request.replaces);
  await sayWhere(context, request, proposed);
  await breakGlassAsAsked(context, request, proposed);
  if (request.alert !== undefined) await putOnIt(context, actor, request.alert);
  aside(context.alerts.attempted(proposed), context.log, 'showing a request on alerts');
  return 'asked';
}

async function mustNotBeFrozen(
  context: Pick<EngineContext, 'now' | 'store'>,
  channel: string,
  targets: readonly Target[],
): Promise<void> {
  const frozen = await frozenBy(context, channel, targets);
  if (frozen === undefined) return;
  throw new Refusal('frozen', text('Not now: ', sayFrozen(frozen)), { stored: `Not now: ${sayFrozenBriefly(frozen)}` });
}

/**
 * Refuses if another request holds a lock. The request's own lock is ignored, since a form submitted twice runs twice
 * at the same time.
 */
async function mustBeFree(
  context: EngineContext,
  id: string,
  targets: readonly string[],
  access: Access,
): Promise<void> {
  const locks = await context.store.locks.list();
  for (const lock of locks.filter(({ operationId, target }) => operationId !== id && targets.includes(target))) {
    if (await releaseIfEnded(context, lock)) continue;
    const holder = await sayHolder(context, lock, access, access.actor.id);
    throw new Refusal('locked', `Not now: ${holder} is running on it.`, { hint: 'Ask again when that has ended.' });
  }
}
