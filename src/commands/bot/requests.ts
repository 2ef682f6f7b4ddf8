import { choice, withDefault } from '../../core/args.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { mayKnow } from './may-know.ts';
import { operationRow, operationsTable, showOne } from './operations-table.ts';

const most = 100;

export const requests = defineQuery({
  path: 'requests',
  title: 'Requests',
  summary: 'List the requests of this channel and how they ended',
  examples: ['requests', 'requests mine'],
  alsoCalled: [
    'pending',
    'approvals',
    'my requests',
    'open requests',
    'what needs approval',
    "what's waiting for me",
    'what is waiting',
    'approve',
  ],
  args: {
    whose: withDefault(choice({ of: ['open', 'mine', 'all'], hint: 'The open ones, yours, or all.' }), 'all'),
    page,
  },
  capability: 'read',
  visibility: 'person',
  run: async ({ whose, page }, context) => {
    const { bot, channel, actor } = context;
    const all = await bot.operations({
      limit: most,
      ...(whose === 'mine' ? { requester: actor } : { channel }),
      ...(whose === 'open' ? { isOpen: true } : {}),
    });
    const found = all.filter(mayKnow(context));
    const noun = { open: 'open requests here', mine: 'requests of yours', all: 'requests here' }[whose];
    const none = `There are no ${noun}.`;
    if (found.length === 0) return { summary: none, parts: [{ kind: 'text', text: none }] };
    const shown = paged(found, page, { row: operationRow, lineOf: (to) => `requests ${whose} page=${to}` });
    return {
      summary: `${found.length} ${noun}`,
      parts: [
        operationsTable(shown.rows),
        ...showOne(shown.rows),
        {
          kind: 'context',
          text: `${all.length === most ? 'The last ' : ''}${found.length} ${noun}, the newest first${shown.note}. /host audit shows who did what.`,
        },
        ...buttonRow(shown.buttons),
      ],
    };
  },
});
