import type { OperationSummary } from '../../core/command/bot.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { Text, View } from '../../core/view/view.ts';
import { mayKnow } from './may-know.ts';
import { jobsOf, operationRow, showOne, stopOne } from './operations-table.ts';

/** Everything under way that this person may see, in any channel, with the provider’s job numbers. */
export async function running(context: Pick<ReadContext<unknown>, 'actor' | 'bot' | 'channel' | 'may'>): Promise<View> {
  const underWay = await context.bot.operations({ isUnderWay: true, limit: 100 });
  const running = underWay.filter(mayKnow(context));
  if (running.length === 0)
    return { summary: 'Nothing is running.', parts: [{ kind: 'text', text: 'Nothing is running.' }] };
  const row = (operation: OperationSummary): Text[] => [...operationRow(operation), jobsOf(operation)];
  return {
    summary: `Running now: ${running.length}`,
    parts: [
      {
        kind: 'table',
        columns: [
          { name: 'Request' },
          { name: 'State' },
          { name: 'By' },
          { name: 'In' },
          { name: 'When' },
          { name: 'Job', align: 'right' },
        ],
        rows: running.map(row),
      },
      ...showOne(running),
      ...stopOne(running),
    ],
  };
}
