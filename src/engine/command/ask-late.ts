import { lineOf } from '../../core/grammar/parse.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { sayDuration } from '../../core/text/words.ts';
import { type Button, says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place, Request } from '../context/request.ts';
import { longestLineToRepeat, type TypedLine } from '../context/typed-line.ts';

/**
 * Slack may deliver a missed command or click hours later. Instead of running it, the bot asks once at the same place
 * whether it is still wanted, and returns true.
 */
export async function askWhetherWanted(
  { outbox, settings }: Pick<EngineContext, 'outbox' | 'settings'>,
  { id, at, actor, saidAt, ask }: Request,
  place: Place,
  { parsed, text }: TypedLine,
): Promise<boolean> {
  if (saidAt === undefined || parsed.kind !== 'command' || parsed.missing.length > 0) return false;
  const pressed = ask.kind === 'intent' ? ask.intent : undefined;
  // A late click that only reads is harmless.
  if (pressed !== undefined && (pressed.do !== 'run' || parsed.command.kind === 'query')) return false;
  const isShort = text.length <= longestLineToRepeat;
  const doing = strikeSecrets(lineOf(parsed.command, parsed.raw), settings.knownSecrets);
  const still = isShort ? 'Still wanted?' : 'Send it again if it is still wanted.';
  const button: Button = { label: 'Ask now', intent: { ...pressed, do: 'run', line: text }, style: 'primary' };
  const view = says(
    [
      { user: actor },
      ' asked at ',
      { date: saidAt },
      `, ${sayDuration(at - saidAt)} ago: `,
      { code: `/host ${isShort ? doing : `${parsed.command.path} …`}` },
      `. Slack delivered it only now, so nothing was done. ${still}`,
    ],
    isShort ? [button] : [],
  );
  // A person on Home or in a dialog does not see the channel.
  const channel = place.kind === 'channel' || place.kind === 'dm' ? place.channel : actor;
  await outbox.put({ key: `late:${id}`, channel, threadTs: place.thread ?? place.message, view });
  return true;
}
