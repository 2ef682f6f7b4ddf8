import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { EngineContext } from './engine-context.ts';

/** A card, a direct message and the audit show these words whole. */
const mostCharacters = 500;

/** The words that a person wrote for others, without secrets. Too many are refused: a cut end might be the point. */
export function ownWords({ settings }: Pick<EngineContext, 'settings'>, words: string, field: string): string {
  const trimmed = words.trim();
  if (trimmed.length <= mostCharacters) return strikeSecrets(trimmed, settings.knownSecrets);
  throw new Refusal('bad_value', `This has ${trimmed.length.toLocaleString('en-US')} characters.`, {
    hint: `Say it in at most ${mostCharacters}.`,
    field,
  });
}
