import type { Alert } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';

/**
 * Finds an alert of this channel that this person may see, or all alerts of a message, named by `m:` and its id. An
 * alert of another channel looks like one that does not exist.
 */
export async function alertsHere(
  id: string,
  { bot, channel, may }: Pick<ReadContext<Reader>, 'bot' | 'channel' | 'may'>,
): Promise<readonly [Alert, ...Alert[]]> {
  const [first, ...others] = await bot.alerts.find(id.trim().toLowerCase());
  const isHere = (alert: Alert) => alert.channel === channel && maySeeAlert(alert, bot.alerts.rules, { channel, may });
  if (first !== undefined && [first, ...others].every(isHere)) return [first, ...others];
  throw new Refusal('not_found', `There is no alert \`${id.slice(0, 40)}\` here.`, {
    hint: 'See /host alerts list.',
    field: 'alert',
  });
}
