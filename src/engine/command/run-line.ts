import { seeHelp } from '../../core/grammar/did-you-mean.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { usage } from '../../core/grammar/usage.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says, text, type View, withCode } from '../../core/view/view.ts';
import { accessAt } from '../access/access.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import type { Place, Request } from '../context/request.ts';
import { isExact, type TypedLine, withDomains, withNames } from '../context/typed-line.ts';
import { cutOff } from '../operation/end.ts';
import { answer } from './answer.ts';
import { type CommandRequest, fromButton, wayOf } from './command-request.ts';
import {
  type CommandAnswer,
  commandScopeOf,
  noteAnswer,
  refusalElsewhere,
  resolveChannel,
  sayTook,
  whichChannel,
} from './command-scope.ts';
import { lastKnown, wasUnavailable } from './last-known.ts';
import { offeredHere, withSuggestions } from './offered-here.ts';
import { requestPlan } from './request-plan.ts';
import { withSavedPlan } from './saved-plans.ts';

export async function runLine(context: EngineContext, request: Request, typed: TypedLine): Promise<CommandAnswer> {
  const { id, at, actor, place } = request;
  const say = (view: View) => context.messenger.postEphemeral(place, actor, view);
  const line = await withDomains(context, typed);
  const { parsed } = isExact(line) ? line : await withNames(context, line, await accessAt(context, actor, place));
  if (parsed.kind === 'command' && parsed.missing.length === 0) {
    const { command, raw, note, isTaken, left, reason, under } = parsed;
    const way = wayOf(request, parsed.isShared);
    const details = defined({ way, note, reason, isTaken, left, under, typed: typed.text, ...fromButton(request) });
    return fulfill(context, { id, at, actor, place, command, raw, ...details }, refusalElsewhere(place, under));
  }
  const access = await accessAt(context, actor, place);
  const welcome = access.decide('none', 'safe', []);
  if (!welcome.allowed) {
    await say({ ...says(text('Not here: ', welcome.because, '.')), reason: welcome.reason });
    return 'refused';
  }
  if (parsed.kind === 'menu') {
    await say(await context.menu(access, place));
    return 'answered';
  }
  if (parsed.kind === 'problem') {
    const refusal = await offeredHere(context, actor, place, parsed.refusal);
    const view = errorView(refusal, typed.text, context.log, {});
    await say(isHelpless(refusal) ? await withUsual(context, access, place, view) : view);
    return 'not_understood';
  }
  await say(await incomplete(context, access, place, typed.text, parsed));
  return 'not_understood';
}

/** Whether nothing of the line was understood. */
const isHelpless = ({ hint }: Refusal) => hint === seeHelp;

/** Adds the commands that are used most here, a search, and all commands. */
async function withUsual(context: EngineContext, access: Access, place: Place, view: View): Promise<View> {
  const { parts } = await context.menu(access, place);
  const last = parts.findLastIndex(({ kind }) => kind === 'buttons');
  return {
    ...view,
    parts: [...view.parts, ...parts.filter(({ kind }, at) => kind === 'find' || kind === 'menu' || at === last)],
  };
}

/** Offers the form of a line that lacks something, to people who may fill it in. */
async function incomplete(
  context: EngineContext,
  access: Access,
  place: Place,
  typed: string,
  { command, raw, reason, missing, isTaken, left }: Extract<TypedLine['parsed'], { kind: 'command' }>,
): Promise<View> {
  const line = lineOf(command, raw, reason);
  const { capability, risk, path } = command;
  const decision = access.decide(capability, risk, []);
  if (!decision.allowed) {
    const words = text(`You may not use \`/host ${path}\` here: `, decision.because, '.');
    const refusal = new Refusal(decision.reason, words);
    return errorView(await offeredHere(context, access.actor.id, place, refusal), line, context.log, { line });
  }
  const hints = missing.flatMap((name) => command.args[name]?.hint ?? []);
  const took =
    isTaken === true ? [withCode(`${await sayTook(context, defined({ typed, left }), `\`${path}\``)}\n`)].flat() : [];
  const needs = ` also needs ${missing.join('; ')}: `;
  const words = says(
    [...took, { code: path }, needs, { code: `/host ${usage(command)}` }, ['', ...hints].join('\n')],
    [{ label: 'Fill in', intent: { do: 'form', line }, style: 'primary', opens: true }],
  );
  return { ...words, reason: 'bad_value' };
}

/** Never throws: shows an error to the person privately. */
export async function fulfill(context: EngineContext, request: CommandRequest, earlierError?: unknown) {
  const doing = lineOf(request.command, request.raw);
  try {
    if (earlierError !== undefined) throw earlierError;
    return await attempt(context, request);
  } catch (error) {
    await context.messenger.postEphemeral(request.place, request.actor, await failureView(context, request, error));
    const kind = error instanceof Refusal ? 'refused' : 'failed';
    const text = `${doing}: ${error instanceof Error ? error.message : 'an error'}`;
    const operation = request.command.kind === 'action' ? (await cutOff(context, request.id))?.id : undefined;
    const data = error instanceof Refusal ? { reason: error.reason } : undefined;
    const { actor, place } = request;
    await noteAnswer(context, { kind, actor, channel: place.channel, text, ...defined({ operation, data }) });
    return kind;
  }
}

async function failureView(context: EngineContext, request: CommandRequest, error: unknown): Promise<View> {
  const doing = lineOf(request.command, request.raw, request.reason);
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
  // A form that would refuse to open is not offered.
  const { capability, risk, kind } = request.command;
  const mayFillIn =
    !isAboutValue(refusal) ||
    (await accessAt(context, request.actor, request.place)).decide(capability, risk, []).allowed;
  const line = mayFillIn ? doing : undefined;
  return errorView(refusal, doing, context.log, { ...defined({ line }), isRead: kind === 'query' });
}

const isAboutValue = (error: unknown) =>
  error instanceof Refusal && ['bad_value', 'not_found', 'ambiguous'].includes(error.reason);

export async function attempt(context: EngineContext, asked: CommandRequest): Promise<CommandAnswer> {
  const request = await withSavedPlan(context, asked);
  const { command } = request;
  const resolved = await resolveChannel(context, request);
  if ('channels' in resolved) {
    await context.messenger.postEphemeral(request.place, request.actor, await whichChannel(context, request, resolved));
    return 'asked';
  }
  const scope = await commandScopeOf(context, request, resolved);
  return command.kind === 'query' ? answer(context, scope, command) : requestPlan(context, scope, command);
}
