import { lineOf } from '../../core/grammar/parse.ts';
import { usage } from '../../core/grammar/usage.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says, text, type View } from '../../core/view/view.ts';
import { accessAt } from '../access/access-at.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import type { Place, Request } from '../context/request.ts';
import { type TypedLine, withDomains } from '../context/typed-line.ts';
import { cutOff } from '../operation/cut-off.ts';
import { answer } from './answer.ts';
import { resolveChannel, whichChannel } from './channel-of-policy.ts';
import { type CommandRequest, fromButton, wayOf } from './command-request.ts';
import { type CommandAnswer, commandScopeOf, noteAnswer } from './command-scope.ts';
import { lastKnown, wasUnavailable } from './last-known.ts';
import { offeredHere } from './offer.ts';
import { refusalElsewhere } from './read-otherwise.ts';
import { requestPlan } from './request-plan.ts';
import { withSuggestions } from './with-suggestions.ts';

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
  const line = lineOf(parsed.command, parsed.raw, parsed.reason);
  const view = says(
    [
      { code: parsed.command.path },
      ` also needs ${parsed.missing.join('; ')}: `,
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
