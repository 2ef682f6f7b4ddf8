import { shorten } from '../../core/grammar/tokens.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import type { Json } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { Refusal } from '../../core/view/errors.ts';
import { sayIds } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import type { CommandRequest } from './command-request.ts';

/** Whether the line, or a name in it, was read as something else than what was typed. */
export function isReadOtherwise({ isTaken }: CommandRequest, notes: readonly string[]): boolean {
  return isTaken === true || notes.length > 0;
}

/** The words of the person that the card shows: the reason, and the line where it was read as something else. */
export async function saidWith(
  { directory, settings }: Pick<EngineContext, 'directory' | 'settings'>,
  request: CommandRequest,
  { title }: Pick<Plan<Json>, 'title'>,
  notes: readonly string[],
): Promise<Pick<Plan<Json>, 'reason' | 'took'>> {
  const strike = (words: string) => strikeSecrets(words, settings.knownSecrets);
  const { reason, note } = request;
  const typed = request.typed === undefined ? undefined : strike(await sayIds(directory, shorten(request.typed)));
  const took = isReadOtherwise(request, notes)
    ? typed === undefined
      ? notes.join(' ')
      : `Took “${typed}” as ${title}.`
    : note;
  const why = reason === undefined ? undefined : await sayIds(directory, reason);
  return defined({ reason: why, took });
}

/** The refusal of a line that names another channel: the rules of the channel in which it is typed decide. */
export function refusalElsewhere({ kind, channel }: Place, under: string | undefined): Refusal | undefined {
  if (kind !== 'channel' || under === undefined || under === channel) return undefined;
  const hint = 'Type it there, or in a direct message.';
  return new Refusal('impossible', 'That is about another channel.', { hint });
}
