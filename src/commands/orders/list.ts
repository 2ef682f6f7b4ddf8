import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { orderStatuses, sayStatus } from '../../core/account/trouble.ts';
import { choice, flag, optional, text, withDefault, words } from '../../core/command/args.ts';
import { span } from '../../core/command/time-args.ts';
import { count, day, money } from '../../core/text/words.ts';
import type { Reader } from '../../provider/client.ts';
import { runButton } from '../buttons.ts';
import { defineList } from '../list.ts';
import { withReadAt } from '../read-at.ts';
import { leftOut } from '../unreadable.ts';
import { orderFilter } from './filter.ts';
import { costOf, inTroubleFirst } from './fresh.ts';
import { projectOrNone } from './project-or-none.ts';
import { orderList } from './table.ts';

export const orders = defineList({
  path: 'orders',
  title: 'Find orders',
  summary: 'List or filter orders, those that need attention first',
  examples: ['orders expiring 14d', 'orders tag:prod status:active'],
  alsoSays: ['this', 'next', 'week', 'month', 'soon'],
  args: {
    filter: withDefault(
      words({
        hint: 'Such as expiring 14d, blocked, canceled, or part of a name.',
        schema: z.string().max(80, 'at most 80 characters'),
        most: 10,
      }),
      [],
    ),
    expiring: optional(
      span({
        hint: 'Only orders whose paid period ends within this time, such as 14d.',
        minMs: day,
        maxMs: 3_650 * day,
        place: 'option',
      }),
    ),
    status: optional(choice({ hint: 'Only orders with this status.', of: orderStatuses, place: 'option' })),
    tag: optional(text({ hint: 'Only orders with this tag.', place: 'option' })),
    type: optional(text({ hint: 'Only orders of this type, such as vps or domain.', place: 'option' })),
    project: optional(projectOrNone({ hint: 'Only orders of this project, or none.', place: 'option' })),
    canceled: flag({ hint: 'Only orders that will be canceled.' }),
  },
  capability: 'read',
  visibility: 'money',
  list: async (filterArgs, { reader, account, currency, may, now, bot }, show) => {
    const filter = orderFilter(filterArgs);
    const [whole, inCurrency, pinOf] = await Promise.all([account(), currency(), bot.pins()]);
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
      ...orderList({ all, currency: inCurrency, now, pinOf }),
      line: (to, own) => (to === 1 ? own.replace(/ page=1$/, '') : own),
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

/** Uses the provider's own filter: it is not documented whether items of its lists have the mark. */
async function markedIds(reader: Reader): Promise<ReadonlySet<string>> {
  return new Set((await reader.orders.list({ cancel_mark: true })).map((order) => order.id));
}

function tally(orders: readonly Order[]): string {
  const byStatus = Map.groupBy(orders, (order) => order.status);
  return [...byStatus].map(([status, those]) => `${those.length} ${sayStatus(status)}`).join(', ');
}
