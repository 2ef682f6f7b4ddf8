import { defineQuery } from '../define.ts';
import { operationsTable } from './operations-table.ts';

export const jobs = defineQuery({
  path: 'jobs',
  summary: 'What is running now, and the provider’s job numbers',
  examples: ['jobs', 'jobs'],
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, { bot, channel, may }) => {
    const underWay = await bot.operations({ isUnderWay: true, limit: 100 });
    // What runs elsewhere is told to those who may read what it runs on.
    const running = underWay.filter(
      (operation) => operation.channel === channel || operation.targets.every((target) => may('read', target)),
    );
    if (running.length === 0)
      return { summary: 'Nothing is running.', parts: [{ kind: 'text', text: 'Nothing is running.' }] };
    return { summary: `${running.length} running`, parts: [operationsTable(running)] };
  },
});
