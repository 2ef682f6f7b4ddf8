import { type AlertSummary, maySeeAlert } from '../../core/alert/alert.ts';
import { messageMark } from '../../core/alert/on-it-button.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';

type Here = Pick<ReadContext<Reader>, 'bot' | 'channel' | 'may'>;

/**
 * Finds an alert of this channel that this person may see. An alert of another channel looks like one that does not
 * exist.
 */
export async function alertHere(id: string, { bot, channel, may }: Here): Promise<AlertSummary> {
  const alert = await bot.alerts.find(id.trim().toLowerCase());
  if (alert !== undefined && isHere(alert, { bot, channel, may })) return alert;
  throw none(id);
}

/** Like `alertHere`, for all alerts of one message, named by `m:` and its id. */
export async function alertsHere(id: string, here: Here): Promise<readonly AlertSummary[]> {
  const wanted = id.trim().toLowerCase();
  if (!wanted.startsWith(messageMark)) return [await alertHere(id, here)];
  const alerts = await here.bot.alerts.onMessage(wanted.slice(messageMark.length));
  if (alerts.length > 0 && alerts.every((alert) => isHere(alert, here))) return alerts;
  throw none(id);
}

function isHere(alert: AlertSummary & { readonly channel: string }, { bot, channel, may }: Here): boolean {
  return alert.channel === channel && maySeeAlert(alert, bot.alerts.rules, { channel, may });
}

function none(id: string): Refusal {
  return new Refusal('not_found', `There is no alert \`${id.slice(0, 40)}\` here.`, {
    hint: 'See /host alerts list.',
    field: 'alert',
  });
}
