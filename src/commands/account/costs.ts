import { orderTarget } from '../../core/account/account.ts';
import { count, money } from '../../core/text/words.ts';
import { defineList } from '../list.ts';
import { costOf } from '../orders/read-order.ts';

export const costs = defineList({
  path: 'costs',
  words: `| cost · spending · expense · cost and usage | how much do we spend · how much we spent · have spent ·
    cost each month · costs each month · pay for each · spend on · costs by · costs per · costs of · costs last
    month · pay most for · pay per month · pay every month · most expensive · how much save · would save · gave up ·
    price of server · server cost · cost together · project cost · spend by · spend per · expenses per · spend
    each month`,
  title: 'Costs',
  summary: 'Show the monthly costs by project and by tag',
  alsoSays: ['project', 'projects', 'tag', 'tags', 'and', 'a', 'month'],
  capability: 'read',
  visibility: 'money',
  list: async (_, { account, currency, may }, show) => {
    const [{ orders }, inCurrency] = await Promise.all([account(), currency()]);
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
    const total = `${count(own.length, 'order')} · ${money(costOf(own), inCurrency)} a month${without}`;
    return show({
      all: groups,
      columns: [{ name: 'Costs of' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
      row: ([name, some]) => [name, String(some.length), money(costOf(some), inCurrency)],
      total,
      foot: (note) => `${total} · an order counts once for each of its tags${note}`,
    });
  },
});
