import { accountTarget, type Order, orderTarget, projectTarget } from '../../core/account/account.ts';
import { byNumbers, count, money } from '../../core/text/words.ts';
import { dotted, formButton } from '../../core/view/view.ts';
import { leftOut } from '../left-out.ts';
import { defineList } from '../list.ts';
import { costOf } from '../orders/read-order.ts';

export const projectList = defineList({
  path: 'project list',
  title: 'Projects',
  summary: 'List the projects, with their orders and costs',
  examples: ['project list', 'project list page:1'],
  args: {},
  capability: 'read',
  visibility: 'money',
  list: async (_, { reader, account, currency, may }, show) => {
    const [all, whole, inCurrency] = await Promise.all([reader.projects.list(), account(), currency()]);
    const orders = whole.orders.filter((order) => may('read', orderTarget(order)));
    const matches = all.filter((project) => may('read', projectTarget(project)));
    const buttons = may('organize', accountTarget) ? [formButton('New project…', 'project create')] : [];
    const total = count(matches.length, 'project');
    return show({
      all: matches.toSorted((a, b) => byNumbers(a.name, b.name)),
      columns: [{ name: 'Name' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
      row: ({ name, id, comment }) => {
        const own = ordersIn(id, orders);
        return [dotted([`${name} (${id})`, comment]), String(own.length), money(costOf(own), inCurrency)];
      },
      none: 'There is no project that you may see here.',
      total,
      foot: (note) => `${total} · ${count(ordersIn(null, orders).length, 'order')} in none${note}`,
      above: leftOut(whole, 'project', may),
      buttons,
    });
  },
});

/** The orders of a project, without canceled ones. */
export function ordersIn(project: number | null, orders: readonly Order[]): readonly Order[] {
  return orders.filter((order) => order.status !== 'canceled' && (order.project?.id ?? null) === project);
}
