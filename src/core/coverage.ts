import type { Order } from './account.ts';
import { daysUntil } from './time.ts';

/** What renews from the balance: active, and not marked to be cancelled, as its own row or the provider's filter says. */
export function renewing(orders: readonly Order[], marked: ReadonlySet<string> = new Set()): readonly Order[] {
  return orders.filter((order) => order.status === 'active' && !order.isCancelMarked && !marked.has(order.id));
}

export function monthlyCost(orders: readonly Order[]): number {
  return orders.reduce((sum, order) => sum + Math.round(order.costMonth * 100), 0) / 100;
}

/** For how many whole days the balance pays at this cost; undefined when nothing has to be paid. */
export function daysCovered(balance: number, costMonth: number): number | undefined {
  if (costMonth <= 0) return undefined;
  return Math.max(0, Math.floor((balance / costMonth) * 30));
}

/** The next to be renewed first; without a date, last. */
export function byRenewal(now: number) {
  const days = (order: Order) => daysUntil(order.expires, now) ?? Number.MAX_SAFE_INTEGER;
  return (a: Order, b: Order) => days(a) - days(b) || a.label.localeCompare(b.label, 'en', { numeric: true });
}
