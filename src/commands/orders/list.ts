import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { choice, flag, optional, text, withDefault, words } from '../../core/command/args.ts';
import { span } from '../../core/command/time-args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { count, day, money, spanText } from '../../core/text/words.ts';
import type { Reader } from '../../provider/client.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { withReadAt } from '../read-at.ts';
import { sayStatus } from '../servers/power.ts';
import { leftOut } from '../unreadable.ts';
import { type OrderFilterArgs, orderFilter, statuses } from './filter.ts';
import { costOf, worstFirst } from './fresh.ts';
import { page, paged } from './page.ts';
import { projectOrNone } from './project-or-none.ts';
import { orderRows, orderTable } from './table.ts';

const args = {
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
  status: optional(choice({ hint: 'Only orders with this status.', of: statuses, place: 'option' })),
  tag: optional(text({ hint: 'Only orders with this tag.', place: 'option' })),
  type: optional(text({ hint: 'Only orders of this type, such as vps or domain.', place: 'option' })),
  project: optional(projectOrNone({ hint: 'Only orders of this project, or none.', place: 'option' })),
  canceled: flag({ hint: 'Only orders that will be canceled.' }),
  page,
};

export const orders = defineQuery({
  path: 'orders',
  title: 'Find orders',
  summary: 'List or filter orders, those that need attention first',
  examples: ['orders expiring 14d', 'orders tag:prod status:active'],
  alsoSays: ['this', 'next', 'week', 'month', 'soon'],
  args,
  capability: 'read',
  visibility: 'money',
  run: async ({ page, ...filterArgs }, { reader, account, currency: readCurrency, may, now, bot }) => {
    const filter = orderFilter(filterArgs);
    const [whole, currency, pinOf] = await Promise.all([account(), readCurrency(), bot.pins()]);
    const { orders: all, readAt } = whole;
    const marked = filter.onlyMarked ? await markedIds(reader) : undefined;
    const matches = all
      .filter((order) => may('read', orderTarget(order)))
      .map((order) => (marked?.has(order.id) ? { ...order, isCancelMarked: true } : order))
      .filter((order) => (marked === undefined || marked.has(order.id)) && filter.fits(order, now))
      .toSorted(worstFirst(now));
    const lineFor = (to: number) =>
      lineOf({ path: 'orders', args }, { ...rawOf(filterArgs), page: to === 1 ? [] : [String(to)] });
    const row = orderRows({ all: matches, currency, now, pinOf });
    const shown = paged(matches, page, { row, lineOf: lineFor });
    const noneAt = withReadAt('', readAt);
    if (matches.length === 0) {
      const none = filter.say === '' ? 'There are no orders you may see here.' : `No order fits: ${filter.say}.`;
      return {
        summary: none,
        parts: [
          ...leftOut(whole, 'order', may),
          { kind: 'text', text: none },
          { kind: 'context', text: noneAt },
          ...buttonRow(filter.say === '' ? [] : [runButton('All orders', 'orders')]),
        ],
      };
    }
    const totals = `${count(matches.length, 'order')}${filter.say === '' ? '' : ` (${filter.say})`}: ${tally(matches)}`;
    return {
      summary: totals,
      parts: [
        ...leftOut(whole, 'order', may),
        ...orderTable(shown.rows, row),
        {
          kind: 'context',
          text: withReadAt(`${totals} · ${money(costOf(matches), currency)} a month${shown.note}`, readAt),
        },
        ...buttonRow([...shown.buttons, ...(filter.say === '' ? [runButton('Expiring', 'orders expiring 14d')] : [])]),
      ],
      ...shown.more,
    };
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

/** The filter as typed arguments, for the buttons that turn pages. */
function rawOf(filterArgs: OrderFilterArgs): RawArgs {
  const { filter, expiring, status, tag, type, project, canceled } = filterArgs;
  const raw: Record<string, readonly string[]> = {
    filter,
    expiring: expiring === undefined ? [] : [spanText(expiring)],
    status: status === undefined ? [] : [status],
    tag: tag === undefined ? [] : [tag],
    type: type === undefined ? [] : [type],
    project: project === undefined ? [] : args.project.show(project),
    canceled: canceled ? ['yes'] : [],
  };
  return raw;
}
