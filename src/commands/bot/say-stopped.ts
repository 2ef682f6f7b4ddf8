import type { OperationSummary } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count } from '../../core/text/words.ts';
import { joined, type Text, text } from '../../core/view/view.ts';

const most = 100;
const mostNamed = 3;

/**
 * `2 scheduled requests will not run: Restart web-1, …`, in a line for a subject, with what it names. The channel reads
 * it, so requests of other channels have no name.
 */
export async function sayStopped({ bot, channel, actor }: ReadContext, isStopped: (each: OperationSummary) => boolean) {
  const channels = [channel, ...(await bot.policies()).keys()];
  const stopped = (await bot.byHour({ channels, requester: actor, limit: most })).filter(isStopped);
  if (stopped.length === 0) return { lines: [], names: [] };
  const here = stopped.filter((request) => request.channel === channel).slice(0, mostNamed);
  const others = stopped.length - here.length;
  const named = here.map(({ title, startsAt }): Text => [`${title} `, { date: startsAt, style: 'full' }]);
  const rest = others === 0 ? [] : [here.length === 0 ? 'in other channels' : `and ${others} more`];
  const start = `${count(stopped.length, 'scheduled request')} will not run: `;
  const line = text(start, joined([...named, ...rest], ', '), '.');
  return { lines: [line], names: here.flatMap(({ targets, names }) => [...targets, ...names]) };
}
