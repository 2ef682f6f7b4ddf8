import { hasHour, isOn } from '../../core/grammar/timing-keys.ts';
import { leastGlassWords } from '../../core/policy/may-break-glass.ts';
import { lettersIn } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import { mustHaveNoOpenGlass } from '../approval/break-glass.ts';
import { castVote } from '../approval/vote.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { needsName } from '../operation/card.ts';
import type { Operation } from '../operation/read-operation.ts';
import { type CommandRequest, lacksReason } from './command-request.ts';

/** A line that breaks the glass: the request is made as usual, and runs without its approvals. */

/** Refuses before there is a card. */
export async function mustBreakGlass(
  context: EngineContext,
  { command, raw, reason }: CommandRequest,
  { rule, ...asked }: Pick<Operation, 'channel' | 'id' | 'rule'>,
): Promise<void> {
  if (!isOn(raw, 'break-glass')) return;
  if (hasHour(raw))
    throw new Refusal('bad_value', 'Breaking the glass runs it at once, not at a later hour.', {
      hint: 'Leave the hour out, or `break-glass`.',
    });
  if (typeof rule === 'object') await mustHaveNoOpenGlass(context, asked);
  if (lettersIn(reason ?? '') >= leastGlassWords) return;
  throw lacksReason('Breaking the glass needs a reason of at least ten letters or digits.', { command, raw });
}

/** The name of what is destroyed is typed in the form. */
export async function breakGlassAsAsked(
  context: EngineContext,
  request: CommandRequest,
  operation: Operation,
  isAgain = false,
): Promise<void> {
  if (!isOn(request.raw, 'break-glass') || operation.glass !== null) return;
  const { id, rule, plan } = operation;
  const { actor, at, place, reason = '' } = request;
  if (typeof rule !== 'object') {
    const words = `${plan.title} needs no approval, so no glass was broken.`;
    return context.messenger.postEphemeral(place, actor, says(words));
  }
  if (needsName(rule)) {
    const intent = { do: 'vote', operation: id, vote: 'glass' } as const;
    const button = { label: 'Break glass…', intent, style: 'danger', opens: true } as const;
    const words = `${plan.title} waits for approvals. Type its name to run it without them.`;
    return context.messenger.postEphemeral(place, actor, says(words, [button]));
  }
  await castVote(context, { operation: id, user: actor, vote: 'glass', at, reason, isAgain });
}
