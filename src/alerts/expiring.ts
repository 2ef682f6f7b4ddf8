import { identityOf, type Order } from '../core/account/account.ts';
import { coverageOf, renewing } from '../core/account/coverage.ts';
import { gradeOfStatus } from '../core/account/trouble.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { count, hour } from '../core/text/words.ts';
import { daysUntil, sayPaid } from '../core/view/days.ts';
import { ifReadable } from '../core/view/errors.ts';
import { aboutTerm, defineAlert, gravityOf, inDays, leftAccount, readBalance, sampleOrder } from './define-alert.ts';

export const expiring = defineAlert({
  name: 'expiring',
  title: 'An order expires soon',
  isAboutOrder: true,
  many: (n) => `${n} orders expire soon`,
  everyMs: hour,
  fires:
    'the paid period of an order ends within the threshold, and it does not renew or the balance does not pay it; or it is expired; one alert, which escalates',
  clears: 'the order is paid for longer, has a cancellation, or is gone',
  thresholds: { unit: 'days', usual: [14, 7, 3, 1], isFalling: true, min: 1, max: 365, most: 6 },
  read: async (context) => {
    const [account, left] = await Promise.all([context.account(), ifReadable(readBalance(context))]);
    /** The first day on which the balance does not pay a renewal; undefined if it pays all. */
    const unpaidFrom = left === undefined ? 0 : coverageOf(left.balance, renewing(account.orders), context.now).days;
    return { ...account, unpaidFrom };
  },
  find: ({ orders, unpaidFrom }, at, now) => {
    const renewed = new Set(renewing(orders));
    return orders.flatMap((order): readonly Finding[] => {
      if (isNotPaid(order)) return [expired(order, at.length - 1)];
      const days = daysUntil(order.expires, now);
      const gravity = gravityOf(at, (threshold) => days !== undefined && Math.max(0, days) <= threshold);
      if (!lasts(order) || days === undefined || gravity === undefined) return [];
      const isPaid = renewed.has(order) && (unpaidFrom === undefined || days < unpaidFrom);
      return isPaid ? [] : [{ ...findingOf(order, days), ...gravity }];
    });
  },
  calm: (cause, account, { target }, now): AlertEnd | undefined => {
    const gone = leftAccount(account, target);
    if (gone !== undefined) return gone;
    const order = account.orders.find((order) => order.id === cause);
    const days = order && daysUntil(order.expires, now);
    if (order !== undefined && isNotPaid(order)) return { over: `${order.label} is ${order.status}` };
    if (order?.isCancelMarked) return { over: `${order.label} is marked for cancellation` };
    if (order === undefined || days === undefined || !lasts(order)) return undefined;
    return `${order.label} is paid for ${count(days, 'day')}`;
  },
  sample: () => ({ ...findingOf(sampleOrder, 3), level: 2, severity: 'warning' }),
});

function expired(order: Order, level: number): Finding {
  return {
    ...findingOf(order, 0),
    level,
    severity: 'critical',
    title: `${order.label} is ${order.status}`,
    reportedBy: 'order-status',
    ...(order.status === 'expired' ? {} : { onlyContinues: true }),
  };
}

const renewalWords: Readonly<Record<string, string>> = {
  active: ' · whether it renews is not known',
  noprolong: ' · is not renewed by itself',
};

/** True for an order that was not paid in time, as the alert warned. */
function isNotPaid({ status }: Order): boolean {
  return gradeOfStatus(status) === 'down';
}

/** Other rules report orders that are marked for cancellation, blocked or expired. */
function lasts({ status, isCancelMarked }: Order): boolean {
  return ['fine', 'noted'].includes(gradeOfStatus(status)) && !isCancelMarked;
}

function findingOf(order: Order, days: number) {
  return {
    ...aboutTerm(order),
    title: `${order.label} ${order.status === 'active' ? sayPaid(days) : `expires ${inDays(Math.max(0, days))}`}`,
    lines: [`${identityOf(order)}${renewalWords[order.status] ?? ''}`],
    left: Math.max(0, days),
  };
}
