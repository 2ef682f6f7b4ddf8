import type { BotReader, MentionedId } from '../../core/bot.ts';
import { Refusal } from '../../core/errors.ts';

/** The one who is called so. Names are people's own to choose, so of two who share one nobody is taken. */
export async function oneNamed(word: string, bot: Pick<BotReader, 'named'>, field: string): Promise<MentionedId> {
  const [found, ...others] = await bot.named(word.replace(/^@/, ''));
  if (found !== undefined && others.length === 0) return found;
  const what = found === undefined ? 'No person or user group' : 'More than one person or user group';
  throw new Refusal('bad_value', `${what} is called \`${word}\`.`, {
    hint: 'Write @ and choose the person or group from the list Slack offers.',
    field,
  });
}
