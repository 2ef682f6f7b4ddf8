import type { BotReader, MentionedId } from '../../core/command/bot-port.ts';
import { badValue } from '../../core/view/errors.ts';

/** Finds the only person or group with this name. Display names are not unique; if two match, none is chosen. */
export async function oneNamed(word: string, bot: Pick<BotReader, 'named'>, field: string, kind?: MentionedId['kind']) {
  const called = await bot.named(word.replace(/^@/, ''));
  const [match, ...others] = called.filter((candidate) => kind === undefined || candidate.kind === kind);
  if (match !== undefined && others.length === 0) return match;
  const noun = kind ?? 'person or user group';
  const what = match === undefined ? `No ${noun}` : `More than one ${noun}`;
  const hint = 'Write @ and choose the person or group from the list Slack offers.';
  throw badValue(`${what} is called \`${word}\`.`, hint, field);
}

/** Returns the id of a person chosen from Slack's list or typed by name. */
export async function personNamed(word: string, bot: Pick<BotReader, 'named'>, field = 'by'): Promise<string> {
  const id = word.replace(/^@/, '');
  return /^[UW][A-Z0-9]{2,}$/.test(id) ? id : (await oneNamed(word, bot, field, 'person')).id;
}
