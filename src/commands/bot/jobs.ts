import { defineQuery } from '../define.ts';
import { operationsTable } from './operations-table.ts';

export const jobs = defineQuery({
  path: 'jobs',
  summary: 'What is running now, and the provider’s job numbers',
  examples: ['jobs', 'jobs'],
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, { bot }) => {
    const open = await bot.operations({ isOpen: true, limit: 50 });
    const running = open.filter((operation) => operation.state !== 'waiting');
    if (running.length === 0)
      return { summary: 'Nothing is running.', parts: [{ kind: 'text', text: 'Nothing is running.' }] };
    return { summary: `${running.length} running`, parts: [operationsTable(running)] };
  },
});
