import { identityOf, type Order } from '../../core/account/account.ts';
import { byNumbers, countOrList } from '../../core/text/words.ts';
import { daysUntil } from '../../core/view/days.ts';
import { signs } from '../../core/view/signs.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderOrder } from '../../provider/endpoints/orders.ts';
import { sayStatus } from '../servers/power.ts';

/** For commands about any order, not only servers. */
export const everyKind = ['vps', 'ds', 'other'] as const;

export interface FreshOrder extends Order {
  /** Null if the provider did not return it, which does not mean "not marked". */
  readonly cancelMark: boolean | null;
}

/** Reads the present order for a plan, since lists in memory may be half a minute old. */
export async function readOrder(reader: Reader, listed: Order): Promise<FreshOrder> {
  return freshOrder(await reader.orders.read({ order_id: listed.id }), listed);
}

export function freshOrder(
  order: ProviderOrder,
  { kind, moreAddresses = [] }: Pick<Order, 'kind'> & Partial<Pick<Order, 'moreAddresses'>>,
): FreshOrder {
  return {
    kind,
    id: order.id,
    label: order.name || order.hostname || order.id,
    name: order.name,
    hostname: order.hostname,
    addresses: order.ipaddress_set,
    moreAddresses,
    type: order.type,
    plan: order.tariff,
    status: order.status,
    costMonth: order.cost_month,
    tariffPrice: order.tariff_price,
    expires: order.expiration_date,
    tags: order.tags,
    project: order.project === null ? null : { id: order.project.id, name: order.project.name },
    isCancelMarked: order.cancel_mark === true,
    cancelMark: order.cancel_mark,
  };
}

// The prefixes in the provider's own document (v2.3.28).
const kindsByPrefix: Readonly<Record<string, string>> = { '77': 'backup', '375': 'domain', '664': 'object storage' };

/** The kind of an order in plain words. */
export function kindWord(order: Order): string {
  if (order.kind === 'vps') return 'server';
  if (order.kind === 'ds') return 'dedicated server';
  return kindsByPrefix[order.id.split('-')[0] ?? ''] ?? (order.type.replaceAll('_', ' ') || 'order');
}

const statusSigns: Readonly<Record<string, string>> = {
  active: signs.good,
  noprolong: signs.warning,
  unpaid: signs.warning,
  canceled: signs.neutral,
};

/** `🟢 active`, `🔴 expired`, `🟢 active, to be canceled` */
export function statusText(order: Order): string {
  const sign = statusSigns[order.status] ?? signs.bad;
  const ending = order.isCancelMarked && order.status !== 'canceled' ? ', to be canceled' : '';
  return `${sign} ${sayStatus(order.status)}${ending}`;
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

/** A few names; more as a number. */
export function sayOrders(names: readonly string[]): string {
  return countOrList(names, 'order');
}

const broken: readonly string[] = ['blocked', 'expired', 'disabled', 'unpaid'];

/** Sorts orders with trouble first, then by end date; canceled ones last. */
export function worstFirst(now: number) {
  const rank = ({ status }: Order) => {
    if (status === 'canceled') return broken.length + 1;
    return broken.includes(status) ? broken.indexOf(status) : broken.length;
  };
  const days = (order: Order) => daysUntil(order.expires, now) ?? Number.MAX_SAFE_INTEGER;
  return (a: Order, b: Order) => rank(a) - rank(b) || days(a) - days(b) || byNumbers(a.label, b.label);
}
