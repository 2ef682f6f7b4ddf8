import { daysUntil } from '../view/days.ts';
import type { Order } from './account.ts';

/** Orders that renew from the balance: active, and not marked for cancellation by their own row or by the provider's filter. */
export function renewing(orders: readonly Order[], marked: ReadonlySet<string> = new Set()): readonly Order[] {
  return orders.filter((order) => order.status === 'active' && !order.isCancelMarked && !marked.has(order.id));
}

export interface Coverage {
  /** Whole days until the first renewal that the balance does not pay; undefined when nothing has to be paid. */
  readonly days: number | undefined;
  readonly costMonth: number;
  /** Orders whose cost the provider did not say: they are not counted. */
  readonly withoutCost: number;
}

/** Beyond this the average is precise enough: no threshold lies there. */
const walkedDays = 400;
const daysOfMonth = 30;

/** Pays the renewals one after another as they come due. An order is due at its date, and again after each term. */
export function coverageOf(balance: number, due: readonly Order[], now: number): Coverage {
  const priced = due.filter((order) => order.costMonth !== null && order.costMonth > 0);
  const cents = priced.map((order) => Math.round((order.costMonth ?? 0) * 100));
  const costMonth = cents.reduce((sum, one) => sum + one, 0) / 100;
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
    // Past its date, or without one: due now.
    const first = Math.max(0, daysUntil(order.expires, now) ?? 0);
    const times = Math.max(0, Math.ceil((walkedDays - first) / (months * daysOfMonth)));
    return Array.from({ length: times }, (_, n) => ({ day: first + n * months * daysOfMonth, cost }));
  });
  return payments.sort((a, b) => a.day - b.day);
}

/**
 * The API names no term: where a tariff's price is a multiple of what the order costs a month, it is paid for as many
 * months. Of a price between two multiples the smaller counts: then no month is paid with less than it costs, and the
 * balance is not said to last longer than it does. What an order costs a month is rounded to cents: half of one less is
 * the least that it can be.
 */
function termOf({ costMonth, tariffPrice }: Order): { months: number; cost: number } {
  const monthly = Math.round((costMonth ?? 0) * 100);
  const tariff = Math.round((tariffPrice ?? 0) * 100);
  const months = Math.max(1, Math.floor(tariff / Math.max(0.5, monthly - 0.5)));
  return { months, cost: months === 1 ? monthly : tariff };
}

/** The next to be renewed first; without a date, last. */
export function byRenewal(now: number) {
  const days = (order: Order) => daysUntil(order.expires, now) ?? Number.MAX_SAFE_INTEGER;
  return (a: Order, b: Order) => days(a) - days(b) || a.label.localeCompare(b.label, 'en', { numeric: true });
}
