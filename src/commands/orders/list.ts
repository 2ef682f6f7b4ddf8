import { type Order, orderTarget } from '../../core/account/account.ts';
import { sayStatus } from '../../core/account/trouble.ts';
import { count, money } from '../../core/text/words.ts';
import { runButton } from '../../core/view/view.ts';
import { leftOut } from '../left-out.ts';
import { defineList } from '../list.ts';
import { withReadAt } from '../read-at.ts';
import { filterArgs, orderFilter } from './filter.ts';
import { orderList } from './order-table.ts';
import { costOf, inTroubleFirst, markedIds } from './read-order.ts';

export const orders = defineList({
  path: 'orders',
  title: 'Find orders',
  summary: 'List or filter orders, those that need attention first',
  examples: ['orders expiring 14d', 'orders tag:prod status:active'],
  alsoSays: ['this', 'next', 'week', 'month', 'soon'],
  args: filterArgs,
  capability: 'read',
  visibility: 'money',
  list: async (wanted, { reader, account, currency, may, now, bot }, show) => {
    const filter = orderFilter(wanted);
    const [whole, inCurrency, protectionOf] = await Promise.all([account(), currency(), bot.protections()]);
    const marked = filter.onlyMarked ? await markedIds(reader) : undefined;
    const fitting = whole.orders
      .filter((order) => may('read', orderTarget(order)))
      .map((order) => (marked?.has(order.id) ? { ...order, isCancelMarked: true } : order))
      .filter((order) => (marked === undefined || marked.has(order.id)) && filter.fits(order, now));
    const all = inTroubleFirst(fitting, now);
    const isAll = filter.say === '';
    const none = isAll ? 'There are no orders you may see here.' : `No order fits: ${filter.say}.`;
    const total = `${count(all.length, 'order')}${isAll ? '' : ` (${filter.say})`}: ${tally(all)}`;
    const cost = `${money(costOf(all), inCurrency)} a month`;
    return show({
      ...orderList({ all, currency: inCurrency, now, protectionOf }),
      instead: none,
      total: all.length === 0 ? none : total,
      foot: (note) => withReadAt(all.length === 0 ? '' : `${total} · ${cost}${note}`, whole.readAt),
      above: leftOut(whole, 'order', may),
      buttons: [
        ...(isAll && all.length > 0 ? [runButton('Expiring', 'orders expiring 14d')] : []),
        ...(isAll || all.length > 0 ? [] : [runButton('All orders', 'orders')]),
      ],
    });
  },
});

function tally(orders: readonly Order[]): string {
  const byStatus = Map.groupBy(orders, (order) => order.status);
  return [...byStatus].map(([status, those]) => `${those.length} ${sayStatus(status)}`).join(', ');
}
