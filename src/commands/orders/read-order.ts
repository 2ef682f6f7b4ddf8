import { identityOf, type Order, orderFrom } from '../../core/account/account.ts';
import { byRenewal } from '../../core/account/coverage.ts';
import { statusText, withoutPower, worstFirst } from '../../core/account/trouble.ts';
import { order } from '../../core/command/args.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderOrder } from '../../provider/endpoints/orders.ts';

/** For commands about any order, not only servers. */
export const everyKind = ['vps', 'ds', 'other'] as const;

export const anyOrder = order({
  hint: 'The order, by name, id, hostname or address.',
  example: 'web-1',
  kinds: everyKind,
});

export interface FreshOrder extends Order {
  /** Null if the provider did not return it, which does not mean "not marked". */
  readonly cancelMark: boolean | null;
}

/** Reads the present order for a plan, since lists in memory may be half a minute old. */
export async function readOrder(reader: Reader, listed: Order): Promise<FreshOrder> {
  const { id, kind, moreAddresses } = listed;
  return freshOrder(await reader.orders.read({ order_id: id }), kind, moreAddresses);
}

export function freshOrder(answer: ProviderOrder, kind: Order['kind'], moreAddresses?: readonly string[]): FreshOrder {
  return { ...orderFrom(answer, kind, moreAddresses), cancelMark: answer.cancel_mark };
}

/** The ids by the provider's own filter: it is not documented whether items of its lists have the mark. */
export async function markedIds(reader: Reader): Promise<ReadonlySet<string>> {
  return new Set((await reader.orders.list({ cancel_mark: true })).map((order) => order.id));
}

// The prefixes in the provider's own document (v2.3.28).
const kindsByPrefix: Readonly<Record<string, string>> = { '77': 'backup', '375': 'domain', '664': 'object storage' };

export function kindWord(order: Order): string {
  if (order.kind === 'vps') return 'server';
  if (order.kind === 'ds') return 'dedicated server';
  return kindsByPrefix[order.id.split('-')[0] ?? ''] ?? (order.type.replaceAll('_', ' ') || 'order');
}

/** `web-1 · 34-12345 · 192.0.2.10 · VPS-2 · 🟢 active` */
export function orderLine(order: Order): Text {
  return [{ bold: order.label }, ` · ${identityOf(order, statusText(order))}`];
}

/** Sums the monthly costs without canceled orders. Adds cents, to avoid rounding errors. */
export function costOf(orders: readonly Order[]): number {
  const cents = orders
    .filter((order) => order.status !== 'canceled')
    .reduce((sum, order) => sum + Math.round((order.costMonth ?? 0) * 100), 0);
  return cents / 100;
}

/** Sorts orders with trouble first, then by end date; canceled ones last. */
export function inTroubleFirst(orders: readonly Order[], now: number): Order[] {
  return worstFirst(orders.toSorted(byRenewal(now)).map(withoutPower), now).map(({ order }) => order);
}
