import { orderTarget } from '../../core/account/account.ts';
import { count } from '../../core/text/words.ts';
import type { View } from '../../core/view/view.ts';
import { buttonRow, formButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { freshOrder, worstFirst } from '../orders/fresh.ts';
import { page, paged } from '../orders/page.ts';
import { orderRows, orderTable } from '../orders/table.ts';
import { withReadAt } from '../read-at.ts';

export const dsList = defineQuery({
  path: 'ds list',
  title: 'Dedicated servers',
  summary: 'List the dedicated servers, with hardware and days paid',
  examples: ['ds list', 'ds list page:1'],
  args: { page },
  capability: 'read',
  visibility: 'money',
  run: async ({ page }, { reader, currency: readCurrency, may, now, bot }): Promise<View> => {
    const [servers, currency, pinOf] = await Promise.all([reader.ds.list(), readCurrency(), bot.pins()]);
    const fitting = servers
      .map((server) => freshOrder(server, { kind: 'ds' }))
      .filter((server) => may('read', orderTarget(server)))
      .toSorted(worstFirst(now));
    if (fitting.length === 0) {
      const none = 'There is no dedicated server that you may see here.';
      return { summary: none, parts: [{ kind: 'text', text: none }] };
    }
    const lineFor = (to: number) => `ds list page:${to}`;
    const row = orderRows({ all: fitting, currency, now, pinOf });
    const shown = paged(fitting, page, { row, lineOf: lineFor });
    const active = fitting.filter((server) => server.status === 'active').length;
    const totals = `${count(fitting.length, 'dedicated server')}: ${active} active${fitting.length === active ? '' : `, ${fitting.length - active} not`}`;
    return {
      summary: totals,
      parts: [
        ...orderTable(shown.rows, row),
        { kind: 'context', text: withReadAt(`${totals}${shown.note}`, now) },
        ...buttonRow([...shown.buttons, formButton('Traffic…', 'ds traffic')]),
      ],
      ...shown.more,
    };
  },
});
