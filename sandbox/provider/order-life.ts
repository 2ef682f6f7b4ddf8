import type { SimOrder } from './model.ts';
import { numbers } from './numbers.ts';
import { addMonths, roundMoney } from './time.ts';
import type { ProviderState } from './types.ts';

type Dated = SimOrder & { expiresAt: number };

interface Stage {
  readonly endsAt: (order: Dated) => number;
  readonly end: (provider: ProviderState, order: SimOrder) => void;
}

const toExpired = (provider: ProviderState, order: SimOrder) =>
  order.hasCancelMark ? cancelOrder(provider, order) : provider.setStatus(order, 'expired');

/**
 * The next change of an order in each status. The specification shows only the cancellation rows; the others follow the
 * names of the statuses.
 */
const stages: Readonly<Record<string, Stage>> = {
  unpaid: { endsAt: (order) => order.createdAt + numbers.unpaidForMs, end: cancelOrder },
  active: { endsAt: (order) => order.expiresAt, end: renewOrExpire },
  noprolong: { endsAt: (order) => order.expiresAt, end: toExpired },
  blocked: { endsAt: (order) => order.expiresAt, end: toExpired },
  expired: {
    endsAt: (order) => order.expiresAt + numbers.expiredForMs,
    end: (provider, order) => provider.setStatus(order, 'disabled'),
  },
  disabled: { endsAt: (order) => order.expiresAt + numbers.expiredForMs + numbers.disabledForMs, end: cancelOrder },
};

const isDated = (order: SimOrder): order is Dated => order.expiresAt !== null;

/** Sets the order's timer for its next change by time. */
export function scheduleOrder(provider: ProviderState, order: SimOrder): void {
  const stage = stages[order.status];
  if (order.cancelAt !== null && order.status !== 'canceled') {
    provider.clock.schedule(order.id, order.cancelAt, () => cancelOrder(provider, order));
  } else if (stage && isDated(order)) {
    provider.clock.schedule(order.id, stage.endsAt(order), () => stage.end(provider, order));
  } else {
    provider.clock.unschedule(order.id);
  }
}

export function cancelOrder(provider: ProviderState, order: SimOrder): void {
  if (order.vps && order.hasBackupOnCancel && order.status !== 'unpaid') keepSnapshot(provider, order);
  for (const invoice of provider.state.invoices.values()) {
    if (invoice.orderId === order.id && !invoice.isPaid) provider.state.invoices.delete(invoice.id);
  }
  order.hasCancelMark = false;
  order.cancelAt = null;
  if (order.addresses) order.addresses = [];
  provider.setStatus(order, 'canceled');
  provider.changed('account');
}

/** Renews an order for another term and removes the cancel mark. */
export function renewOrder(provider: ProviderState, order: SimOrder): void {
  provider.pay(termPrice(order));
  for (const invoice of provider.state.invoices.values()) if (invoice.orderId === order.id) invoice.isPaid = true;
  order.hasCancelMark = false;
  order.cancelAt = null;
  if (order.status !== 'noprolong') order.status = 'active';
  provider.redate(order, addMonths(Math.max(order.expiresAt ?? 0, provider.clock.now()), order.termMonths));
}

function renewOrExpire(provider: ProviderState, order: SimOrder): void {
  if (order.hasCancelMark) cancelOrder(provider, order);
  else if (order.isAutorenewed && provider.state.account.balance >= termPrice(order)) renewOrder(provider, order);
  else {
    if (order.isAutorenewed) provider.addInvoice(order.id, termPrice(order));
    provider.setStatus(order, 'expired');
  }
}

const termPrice = (order: SimOrder) => roundMoney((order.costMonth ?? 0) * order.termMonths);

function keepSnapshot(provider: ProviderState, order: SimOrder): void {
  const id = provider.state.next.snapshot++;
  provider.state.snapshots.set(id, {
    id,
    name: `${order.name || order.id} before cancellation`.slice(0, 64),
    sizeGb: order.vps?.configuration?.disk_size ?? 0,
    createdAt: provider.clock.now(),
  });
}
