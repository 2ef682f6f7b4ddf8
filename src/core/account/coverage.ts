import { byNumbers } from '../text/words.ts';
import { daysUntil } from '../view/days.ts';
import type { Order } from './account.ts';

/**
 * The orders that count as renewed from the balance: active, and not marked for cancellation in the order or in the
 * provider's filtered list. The provider does not say which orders renew by themselves.
 */
export function renewing(orders: readonly Order[], marked: ReadonlySet<string> = new Set()): readonly Order[] {
  return orders.filter((order) => order.status === 'active' && !order.isCancelMarked && !marked.has(order.id));
}

/** Beyond this, the average is precise enough, since no threshold is higher. */
const walkedDays = 400;
const daysOfMonth = 30;

/**
 * Simulates paying the renewals in order. An order is due at its date and again after each term. `days`: whole days
 * until the first renewal that the balance does not cover; undefined if nothing must be paid. `withoutCost`: orders
 * without a cost from the provider, which are not counted.
 */
export function coverageOf(balance: number, due: readonly Order[], now: number) {
  const priced = due.filter((order) => order.costMonth !== null && order.costMonth > 0);
  const cents = priced.map((order) => Math.round((order.costMonth ?? 0) * 100));
  const costMonth = cents.reduce((sum, amount) => sum + amount, 0) / 100;
  const withoutCost = due.filter((order) => order.costMonth === null).length;
  if (costMonth <= 0) return { days: undefined, costMonth, withoutCost };

  let left = Math.round(balance * 100);
  for (const { day, cost } of paymentsOf(priced, now)) {
    if (cost > left) return { days: day, costMonth, withoutCost };
    left -= cost;
  }
  const days = Math.max(walkedDays, Math.floor((balance / costMonth) * daysOfMonth));
  return { days, costMonth, withoutCost };
}

function paymentsOf(orders: readonly Order[], now: number) {
  const payments = orders.flatMap((order) => {
    const { months, cost } = termOf(order);
    // An order past its date, or without one, is due now.
    const first = Math.max(0, daysUntil(order.expires, now) ?? 0);
    const times = Math.max(0, Math.ceil((walkedDays - first) / (months * daysOfMonth)));
    return Array.from({ length: times }, (_, n) => ({ day: first + n * months * daysOfMonth, cost }));
  });
  return payments.sort((a, b) => a.day - b.day);
}

/**
 * Derives the term, which the API does not return: a tariff price of n monthly costs pays n months. A price between two
 * multiples counts as the smaller, so that the coverage is never overstated. The provider rounds the monthly cost
 * to cents, so the exact cost may be up to half a cent lower.
 */
function termOf({ costMonth, tariffPrice }: Order): { months: number; cost: number } {
  const monthly = Math.round((costMonth ?? 0) * 100);
  const tariff = Math.round((tariffPrice ?? 0) * 100);
  const months = Math.max(1, Math.floor(tariff / Math.max(0.5, monthly - 0.5)));
  return { months, cost: months === 1 ? monthly : tariff };
}

/** Sorts by renewal date; orders without a date come last. */
export function byRenewal(now: number) {
  const days = (order: Order) => daysUntil(order.expires, now) ?? Number.MAX_SAFE_INTEGER;
  return (a: Order, b: Order) => days(a) - days(b) || byNumbers(a.label, b.label);
}
