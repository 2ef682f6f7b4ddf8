import type { OrderStatus, SimOrder } from './model.ts';
import { numbers } from './numbers.ts';
import { addMonths, roundMoney } from './time.ts';
import type { ProviderState } from './types.ts';

interface Stage {
  readonly endsAt: (order: SimOrder) => number;
  readonly end: (world: ProviderState, order: SimOrder) => void;
}

const toExpired = (world: ProviderState, order: SimOrder) =>
  order.hasCancelMark ? cancelOrder(world, order) : world.setStatus(order, 'expired');

/**
 * What time does to an order in each status. The specification shows only the cancellation rows; the rest is what the
 * names of the statuses say.
 */
const stages: Partial<Record<OrderStatus, Stage>> = {
  unpaid: { endsAt: (order) => order.createdAt + numbers.unpaidForMs, end: cancelOrder },
  active: { endsAt: (order) => order.expiresAt, end: renewOrExpire },
  noprolong: { endsAt: (order) => order.expiresAt, end: toExpired },
  blocked: { endsAt: (order) => order.expiresAt, end: toExpired },
  expired: {
    endsAt: (order) => order.expiresAt + numbers.expiredForMs,
    end: (world, order) => world.setStatus(order, 'disabled'),
  },
  disabled: { endsAt: (order) => order.expiresAt + numbers.expiredForMs + numbers.disabledForMs, end: cancelOrder },
};

/** Sets the order's one timer to whatever time will do to it next. */
export function scheduleOrder(world: ProviderState, order: SimOrder): void {
  const stage = stages[order.status];
  if (order.cancelAt !== null && order.status !== 'canceled') {
    world.clock.schedule(order.id, order.cancelAt, () => cancelOrder(world, order));
  } else if (stage) {
    world.clock.schedule(order.id, stage.endsAt(order), () => stage.end(world, order));
  } else {
    world.clock.unschedule(order.id);
  }
}

export function cancelOrder(world: ProviderState, order: SimOrder): void {
  if (order.vps && order.hasBackupOnCancel && order.status !== 'unpaid') keepSnapshot(world, order);
  for (const invoice of world.state.invoices.values()) {
    if (invoice.orderId === order.id && !invoice.isPaid) world.state.invoices.delete(invoice.id);
  }
  order.hasCancelMark = false;
  order.cancelAt = null;
  if (order.addresses) order.addresses = [];
  world.setStatus(order, 'canceled');
  world.changed('account');
}

/** Paid for another term, by the balance or by hand. Being renewed removes the cancel mark. */
export function renewOrder(world: ProviderState, order: SimOrder): void {
  world.pay(termPrice(order));
  for (const invoice of world.state.invoices.values()) if (invoice.orderId === order.id) invoice.isPaid = true;
  order.hasCancelMark = false;
  order.cancelAt = null;
  if (order.status !== 'noprolong') order.status = 'active';
  world.redate(order, addMonths(Math.max(order.expiresAt, world.clock.now()), order.termMonths));
}

function renewOrExpire(world: ProviderState, order: SimOrder): void {
  if (order.hasCancelMark) cancelOrder(world, order);
  else if (order.isAutorenewed && world.state.account.balance >= termPrice(order)) renewOrder(world, order);
  else {
    if (order.isAutorenewed) world.addInvoice(order.id, termPrice(order));
    world.setStatus(order, 'expired');
  }
}

const termPrice = (order: SimOrder) => roundMoney(order.costMonth * order.termMonths);

function keepSnapshot(world: ProviderState, order: SimOrder): void {
  const id = world.state.next.snapshot++;
  world.state.snapshots.set(id, {
    id,
    name: `${order.name || order.id} before cancellation`.slice(0, 64),
    sizeGb: order.vps?.configuration.disk_size ?? 0,
    createdAt: world.clock.now(),
  });
}
