import { type Account, identityOf, type Order } from '../core/account/account.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { levelBelow } from '../core/alert/thresholds.ts';
import { count, hour } from '../core/text/words.ts';
import { daysUntil } from '../core/view/days.ts';
import { defineAlert } from './define.ts';
import { aboutOrder, inDays, leftAccount, sampleOrder, severityOf, showLine } from './finding-words.ts';

/** Statuses of orders that continue. Other rules report orders that are marked for cancellation, blocked or expired. */
const lasting = new Set(['active', 'noprolong', 'pending']);
/** Statuses of orders that were not paid in time, as the alert warned. */
const notPaid = new Set(['expired', 'disabled', 'blocked']);

export const expiring = defineAlert<Account>({
  name: 'expiring',
  title: 'An order expires soon',
  many: (n) => `${n} orders expire soon`,
  reads: 'the orders and the days they are paid for',
  everyMs: hour,
  fires: 'the paid period of an order ends within the threshold; one alert, which escalates',
  clears: 'the order is paid for longer, has a cancellation, or is gone',
  offers: 'Order',
  capability: 'read',
  thresholds: { unit: 'days', usual: [14, 7, 3, 1], isFalling: true, min: 1, max: 365, most: 6 },
  read: ({ account }) => account(),
  find: ({ orders }, at, now) =>
    orders.flatMap((order) => {
      if (notPaid.has(order.status)) return [{ ...expired(order, at), onlyContinues: true } as const];
      if (!lasts(order)) return [];
      const days = daysUntil(order.expires, now);
      const level = days === undefined ? undefined : levelBelow(Math.max(0, days), at);
      return days === undefined || level === undefined ? [] : [findingOf(order, { days, level, at })];
    }),
  calm: (cause, account, { target }, now): AlertEnd | undefined => {
    const gone = leftAccount(account, target);
    if (gone !== undefined) return gone;
    const order = account.orders.find((order) => order.id === cause);
    const days = order && daysUntil(order.expires, now);
    if (order?.isCancelMarked) return { over: `${order.label} is marked for cancellation` };
    return order === undefined || days === undefined || !lasts(order)
      ? undefined
      : `${order.label} is paid for ${count(days, 'day')}`;
  },
  sample: () => findingOf(sampleOrder, { days: 3, level: 2, at: [14, 7, 3, 1] }),
});

function expired(order: Order, at: readonly number[]): Finding {
  const level = at.length - 1;
  return {
    ...findingOf(order, { days: 0, level, at }),
    title: `${order.label} is ${order.status}`,
    severity: 'critical',
  };
}

function lasts({ status, isCancelMarked }: Order): boolean {
  return lasting.has(status) && !isCancelMarked;
}

function findingOf(
  order: Order,
  { days, level, at }: { readonly days: number; readonly level: number; readonly at: readonly number[] },
): Finding {
  return {
    ...aboutOrder(order),
    title: `${order.label} expires ${inDays(Math.max(0, days))}`,
    lines: [`${identityOf(order)}${order.status === 'noprolong' ? ' · is not renewed by itself' : ''}`],
    severity: severityOf(level, at),
    level,
    left: Math.max(0, days),
    offers: [{ label: 'Order', line: showLine(order) }],
  };
}
