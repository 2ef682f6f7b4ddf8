import type { OperationSummary } from '../../core/command/bot.ts';
import type { Text } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { mayKnow } from './may-know.ts';
import { jobsOf, operationRow, showOne, stopOne } from './operations-table.ts';

export const jobs = defineQuery({
  path: 'jobs',
  title: 'Running now',
  summary: 'List what is running now, with the provider’s job numbers',
  examples: ['jobs', 'jobs'],
  alsoCalled: ['running', 'what is running', "what's running", 'what runs'],
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, context) => {
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
  },
});
