import { defineQuery } from '../define.ts';
import { mayKnow } from './may-know.ts';
import { operationsTable } from './operations-table.ts';

export const jobs = defineQuery({
  path: 'jobs',
  summary: 'List what is running now, with the provider’s job numbers',
  examples: ['jobs', 'jobs'],
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, context) => {
    const underWay = await context.bot.operations({ isUnderWay: true, limit: 100 });
    const running = underWay.filter(mayKnow(context));
    if (running.length === 0)
      return { summary: 'Nothing is running.', parts: [{ kind: 'text', text: 'Nothing is running.' }] };
    return { summary: `${running.length} running`, parts: [operationsTable(running)] };
  },
});
