import { type Order, orderTarget } from '../../core/account/account.ts';
import { statusText } from '../../core/account/trouble.ts';
import type { ProtectionOf } from '../../core/policy/protection.ts';
import { count, monthly } from '../../core/text/words.ts';
import { daysUntil } from '../../core/view/days.ts';
import { type Row, runButton } from '../../core/view/view.ts';
import { protectionMark } from '../protection-mark.ts';
import { kindWord } from './read-order.ts';

interface Among {
  /** All orders of the list, of which a page has some. */
  readonly all: readonly Order[];
  readonly currency: string | undefined;
  readonly now: number;
  readonly protectionOf: ProtectionOf;
}

/** A list of orders. The card of an order has its id, plan, tags and project. */
export function orderList({ all, currency, now, protectionOf }: Among) {
  const nameOf = namesIn(all);
  return {
    all,
    columns: [{ name: 'Name' }, { name: 'Status' }, { name: 'Paid' }],
    row: (order: Order): Row => [
      `${nameOf(order)}${protectionMark(protectionOf, orderTarget(order))} · ${kindWord(order)}`,
      statusText(order),
      `${order.status === 'canceled' ? 'canceled' : sayDaysLeft(order, now)} · ${monthly(order.costMonth, currency)}`,
    ],
    showOne: ({ label, id }: Order) => runButton(label, `order ${id}`),
  } as const;
}

/** Names orders. The id tells those of one name apart. */
export function namesIn(all: readonly Order[]): (order: Order) => string {
  const sharing = Map.groupBy(all, ({ label }) => label);
  return ({ label, id }) => ((sharing.get(label)?.length ?? 0) > 1 ? `${label} (${id})` : label);
}

/** `19 days`; the provider's dates are exact to days only. */
export function sayDaysLeft(order: Order, now: number): string {
  const days = daysUntil(order.expires, now);
  if (days === undefined) return 'unknown';
  return days < 0 ? 'past' : days === 0 ? 'today' : count(days, 'day');
}
