import { Refusal } from '../../core/view/errors.ts';
import type { Form } from '../../core/view/form.ts';
import { accessAt, channelsOf, slackDidNotSay } from '../access/access.ts';
import { nameOr } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';

/**
 * The form of the global shortcut: a menu of the commands that this person may use in their channels, and a field for a
 * line.
 */
export async function askForm(context: EngineContext, actor: string, place: Place): Promise<Omit<Form, 'id'>> {
  // Offers only channels in which this person may use the bot, to keep other names from them.
  const { accesses, isUnsure } = await channelsOf(context, actor);
  const channels = [...accesses].filter(([, access]) => access.decide('none', 'safe', []).allowed).slice(0, 100);
  const options = await Promise.all(
    channels.map(async ([channel]) => ({
      value: channel,
      label: `#${await nameOr(context.directory.channel(channel), channel)}`,
    })),
  );
  if (options.length === 0 && isUnsure) throw slackDidNotSay('so no channel can be offered.');
  if (options.length === 0)
    throw new Refusal('no_policy', 'No channel that you are in has a policy yet.', {
      hint: 'An admin makes one with `/host access` in the channel.',
    });
  const only = options.length === 1 ? options[0] : undefined;
  const { parts } = await context.menu(await accessAt(context, actor, place), place);
  return {
    title: 'Ask Hostler',
    submit: 'Ask',
    about: parts,
    notes: [['Or type here what you would type after ', { code: '/host' }, '.']],
    fields: [
      {
        name: 'channel',
        label: 'In which channel',
        hint: 'The answer, or the card of the request, appears in this channel.',
        widget: 'choice',
        options,
        optional: false,
        ...(only === undefined ? {} : { initial: only.value }),
      },
      { name: 'line', label: 'What', widget: 'text', example: 'status web-1', optional: false },
    ],
  };
}
