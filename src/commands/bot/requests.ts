import { choice, withDefault } from '../../core/args.ts';
import { defineQuery } from '../define.ts';
import { operationsTable } from './operations-table.ts';

export const requests = defineQuery({
  path: 'requests',
  summary: 'What was asked for in this channel and how it ended',
  examples: ['requests', 'requests mine'],
  args: { whose: withDefault(choice({ of: ['open', 'mine', 'all'], hint: 'the open ones, yours, or all' }), 'all') },
  capability: 'read',
  visibility: 'person',
  run: async ({ whose }, { bot, channel, actor }) => {
    const found = await bot.operations({
      limit: 25,
      ...(whose === 'mine' ? { requester: actor } : { channel }),
      ...(whose === 'open' ? { isOpen: true } : {}),
    });
    const noun = { open: 'open requests here', mine: 'requests of yours', all: 'requests here' }[whose];
    if (found.length === 0) return { summary: `No ${noun}.`, parts: [{ kind: 'text', text: `No ${noun}.` }] };
    return {
      summary: `${found.length} ${noun}`,
      parts: [
        operationsTable(found),
        { kind: 'context', text: `the last ${found.length} ${noun}, newest first; /host audit tells who did what` },
      ],
    };
  },
});
