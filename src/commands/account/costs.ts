import { orderTarget } from '../../core/account/account.ts';
import { count, money } from '../../core/text/words.ts';
import type { Row } from '../../core/view/view.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { costOf } from '../orders/fresh.ts';
import { page, paged } from '../orders/page.ts';

export const costs = defineQuery({
  path: 'costs',
  title: 'Costs',
  summary: 'Show the monthly costs by project and by tag',
  examples: ['costs', 'costs page:1'],
  alsoSays: ['project', 'projects', 'tag', 'tags', 'and', 'a', 'month'],
  args: { page },
  capability: 'read',
  visibility: 'money',
  run: async ({ page }, { account, currency: readCurrency, may }) => {
    const [{ orders }, currency] = await Promise.all([account(), readCurrency()]);
    const own = orders.filter((order) => order.status !== 'canceled' && may('read', orderTarget(order)));
    const tagged = own.flatMap((order) => order.tags.map((tag) => ({ ...order, group: `Tag ${tag}` })));
    const inProjects = own.map((order) => ({
      ...order,
      group: order.project === null ? 'No project' : `Project ${order.project.name}`,
    }));
    const groups = [inProjects, tagged].flatMap((some) =>
      [...Map.groupBy(some, ({ group }) => group)].toSorted(([, a], [, b]) => costOf(b) - costOf(a)),
    );
    const unknown = own.filter(({ costMonth }) => costMonth === null).length;
    const without = unknown === 0 ? '' : `, without ${count(unknown, 'order')} whose cost is unknown`;
    const totals = `${count(own.length, 'order')} · ${money(costOf(own), currency)} a month${without}`;
    const rowOf = ([name, some]: (typeof groups)[number]): Row => [
      name,
      String(some.length),
      money(costOf(some), currency),
    ];
    const shown = paged(groups, page, {
      row: rowOf,
      lineOf: (to) => `costs page:${to}`,
    });
    return {
      summary: totals,
      parts: [
        {
          kind: 'table',
          columns: [{ name: 'Costs of' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
          rows: shown.rows.map(rowOf),
        },
        { kind: 'context', text: `${totals} · an order counts once for each of its tags${shown.note}` },
        ...buttonRow(shown.buttons),
      ],
      ...shown.more,
    };
  },
});
