import { identityOf, type Order } from '../core/account.ts';
import { type Finding, levelBelow } from '../core/alert.ts';
import { daysUntil } from '../core/time.ts';
import { hour, monthly } from '../core/words.ts';
import { defineAlert } from './define.ts';
import { aboutOrder, inDays, sampleOrder, severityOf, showLine } from './words.ts';

interface Facts {
  readonly orders: readonly Order[];
  readonly currency: string | undefined;
}

/** Statuses of orders that continue. Orders that are marked to be canceled, blocked or expired have alerts of their own. */
const lasting = new Set(['active', 'noprolong', 'pending']);

export const expiring = defineAlert<Facts>({
  name: 'expiring',
  title: 'An order expires soon',
  many: (n) => `${n} orders expire soon`,
  reads: 'the orders and the days they are paid for',
  everyMs: hour,
  fires: 'the paid period of an order ends within so many days; one alert, which escalates',
  clears: 'it is paid for longer, or has another status',
  offers: 'Order',
  capability: 'read',
  thresholds: { unit: 'days', usual: [14, 7, 3, 1], isFalling: true, min: 1, max: 365, most: 6 },
  look: async ({ account, currency: readCurrency }) => {
    const [{ orders }, currency] = await Promise.all([account(), readCurrency()]);
    return { orders: orders.filter((order) => lasting.has(order.status) && !order.isCancelMarked), currency };
  },
  find: ({ orders, currency }, at, now) =>
    orders.flatMap((order) => {
      const days = daysUntil(order.expires, now);
      const level = days === undefined ? undefined : levelBelow(Math.max(0, days), at);
      return days === undefined || level === undefined ? [] : [found(order, currency, { days, level, at })];
    }),
  calm: (cause, { orders }) => {
    const order = orders.find((known) => known.id === cause);
    return order && `${order.label} is paid for longer`;
  },
  sample: () => found(sampleOrder, 'EUR', { days: 3, level: 2, at: [14, 7, 3, 1] }),
});

function found(
  order: Order,
  currency: string | undefined,
  { days, level, at }: { readonly days: number; readonly level: number; readonly at: readonly number[] },
): Finding {
  return {
    ...aboutOrder(order),
    title: `${order.label} expires ${inDays(Math.max(0, days))}`,
    lines: [
      `${identityOf(order)} · ${monthly(order.costMonth, currency)}${order.status === 'noprolong' ? ' · is not renewed by itself' : ''}`,
    ],
    severity: severityOf(level, at),
    level,
    left: Math.max(0, days),
    offers: [{ label: 'Order', line: showLine(order) }],
  };
}
