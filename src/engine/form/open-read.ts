import { Refusal } from '../../core/view/errors.ts';
import type { View } from '../../core/view/view.ts';
import { readNow } from '../command/answer.ts';
import { resolveChannel } from '../command/channel-of-policy.ts';
import { commandScopeOf, noteAnswer } from '../command/command-scope.ts';
import { lastKnown, wasUnavailable } from '../command/last-known.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place, Request } from '../context/request.ts';
import { type TypedLine, withDomains } from '../context/typed-line.ts';

/** Answers a read in a dialog. Rights, reads and audit are the same as for the typed line. */
export async function openRead(
  context: EngineContext,
  { id, at, actor }: Pick<Request, 'id' | 'at' | 'actor'>,
  place: Place,
  typed: TypedLine | undefined,
): Promise<View> {
  if (typed === undefined) throw new Refusal('not_understood', 'Nothing was chosen.');
  const { parsed } = await withDomains(context, typed);
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind !== 'command' || parsed.command.kind !== 'query' || parsed.missing.length > 0)
    throw new Refusal('not_understood', 'Only a read can be opened here.');
  const { command, raw } = parsed;
  const request = { id, at, actor, place, command, raw };
  try {
    const resolved = await resolveChannel(context, request);
    if ('channels' in resolved) throw new Refusal('impossible', 'Only a read can be opened here.');
    const scope = await commandScopeOf(context, request, resolved);
    const { view, line } = await readNow(context, scope, command);
    await noteAnswer(context, { kind: 'answered', actor, channel: place.channel, text: line });
    return view;
  } catch (error) {
    if (wasUnavailable(error, request)) return lastKnown(context, request, error);
    throw error;
  }
}
