import type { BotReader, MentionedId } from '../../core/command/bot.ts';
import { Refusal } from '../../core/view/errors.ts';

/** The one who is called so. Names are people's own to choose, so of two who share one nobody is taken. */
export async function oneNamed(
  word: string,
  bot: Pick<BotReader, 'named'>,
  field: string,
  kind?: MentionedId['kind'],
): Promise<MentionedId> {
  const called = await bot.named(word.replace(/^@/, ''));
  const [found, ...others] = called.filter((one) => kind === undefined || one.kind === kind);
  if (found !== undefined && others.length === 0) return found;
  const noun = kind ?? 'person or user group';
  const what = found === undefined ? `No ${noun}` : `More than one ${noun}`;
  throw new Refusal('bad_value', `${what} is called \`${word}\`.`, {
    hint: 'Write @ and choose the person or group from the list Slack offers.',
    field,
  });
}

/** The id of a person, as Slack writes one that was chosen from its list, or by the name that was typed. */
export async function personNamed(word: string, bot: Pick<BotReader, 'named'>, field = 'by'): Promise<string> {
  const id = word.replace(/^@/, '');
  return /^[UW][A-Z0-9]{2,}$/.test(id) ? id : (await oneNamed(word, bot, field, 'person')).id;
}
