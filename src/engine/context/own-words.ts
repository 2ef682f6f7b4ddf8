import type { CommandShape, RawArgs } from '../../core/grammar/shapes.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { EngineContext } from './engine-context.ts';

export interface KnowsSecrets {
  readonly settings: Pick<EngineContext['settings'], 'knownSecrets'>;
}

/** A card, a direct message and the audit show these words whole. */
const mostCharacters = 500;

/** The words that a person wrote for others, without secrets. Too many are refused: a cut end might be the point. */
export function ownWords({ settings }: KnowsSecrets, words: string, field: string): string {
  const trimmed = words.trim();
  if (trimmed.length <= mostCharacters) return strikeSecrets(trimmed, settings.knownSecrets);
  throw new Refusal('bad_value', `This has ${trimmed.length.toLocaleString('en-US')} characters.`, {
    hint: `Say it in at most ${mostCharacters}.`,
    field,
  });
}

/** Removes secrets from the arguments that people read. The others are data, such as the text of a record. */
export function withoutSecrets(
  { settings }: KnowsSecrets,
  { args }: Pick<CommandShape, 'args'>,
  raw: RawArgs,
): RawArgs {
  const struck = Object.entries(raw).map(([name, words]) => [
    name,
    args[name]?.isForPeople ? [strikeSecrets(words.join(' '), settings.knownSecrets)] : words,
  ]);
  return Object.fromEntries(struck);
}
