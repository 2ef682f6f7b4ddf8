import type { AlertSummary } from '../../core/alert.ts';
import type { ReadContext } from '../../core/command.ts';
import { Refusal } from '../../core/errors.ts';
import type { Reader } from '../../provider/client.ts';

/** An alert of this channel that this person may see: another channel's alert is not told from one that never was. */
export async function alertHere(
  id: string,
  { bot, channel, may }: Pick<ReadContext<Reader>, 'bot' | 'channel' | 'may'>,
): Promise<AlertSummary> {
  const found = await bot.alerts.find(id.trim().toLowerCase());
  const rule = bot.alerts.rules.find((known) => known.name === found?.rule);
  const isHere = found?.channel === channel && (rule === undefined || may(rule.capability, found.finding.target));
  if (found !== undefined && isHere) return found;
  throw new Refusal('not_found', `There is no alert \`${id.slice(0, 40)}\` here.`, {
    hint: 'See /host alerts list.',
    field: 'alert',
  });
}
