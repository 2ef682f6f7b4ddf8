import { createChanges } from '../changes.ts';
import { createClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { scheduleJob } from './jobs.ts';
import type { Invoice, SimOrder } from './model.ts';
import { scheduleOrder } from './order-life.ts';
import { createRequestLog } from './request-log.ts';
import { emptyState, fromSnapshot } from './snapshot.ts';
import { roundMoney } from './time.ts';
import type { ProviderChange, ProviderSettings, ProviderState } from './types.ts';

export function createWorld(settings: ProviderSettings, options: ProviderState['options']): ProviderState {
  const changes = createChanges<ProviderChange>();
  const sorted = new Map<string, readonly SimOrder[]>();
  const world: ProviderState = {
    clock: createClock(),
    faults: createFaults(() => world.changed('faults')),
    log: createRequestLog(),
    settings,
    options,
    closing: new AbortController(),
    state: emptyState(),
    changed(what, id) {
      changes.changed(id === undefined ? { what } : { what, id });
    },
    onChange: changes.onChange,
    load(state, clockOffsetMs) {
      world.state = state;
      sorted.clear();
      world.clock.restart(clockOffsetMs);
      for (const job of state.jobs.values()) scheduleJob(world, job);
      for (const order of state.orders.values()) scheduleOrder(world, order);
      world.clock.advance(0);
      world.changed('all');
    },
    restore: (snapshot) => world.load(fromSnapshot(snapshot), snapshot.clockOffsetMs),
    ordersBy(kind, ordering) {
      const key = `${kind ?? 'all'} ${ordering}`;
      const known = sorted.get(key);
      if (known) return known;
      const list = [...world.state.orders.values()].filter((order) => kind === undefined || order.kind === kind);
      list.sort(ordering === 'expired' ? (a, b) => a.expiresAt - b.expiresAt || byNumber(a, b) : byNumber);
      sorted.set(key, list);
      return list;
    },
    addOrder(order) {
      world.state.orders.set(order.id, order);
      sorted.clear();
      scheduleOrder(world, order);
      world.changed('order', order.id);
    },
    redate(order, expiresAt) {
      order.expiresAt = expiresAt;
      sorted.clear();
      scheduleOrder(world, order);
      world.changed('order', order.id);
    },
    setStatus(order, status) {
      order.status = status;
      if (order.vps && status !== 'active' && status !== 'noprolong') {
        world.setPower(order, status === 'canceled' ? 'unknown' : 'off');
      }
      scheduleOrder(world, order);
      world.changed('order', order.id);
    },
    setPower(order, power) {
      if (!order.vps || order.vps.power === power) return;
      order.vps.power = power;
      order.vps.powerChangedAt = world.clock.now();
      world.changed('order', order.id);
    },
    addInvoice(orderId, amount) {
      const invoice: Invoice = { id: world.state.next.invoice++, orderId, amount, isPaid: false };
      world.state.invoices.set(invoice.id, invoice);
      world.changed('account');
      return invoice;
    },
    pay(amount) {
      world.state.account.balance = roundMoney(world.state.account.balance - amount);
      world.changed('account');
    },
  };
  return world;
}

const byNumber = (a: SimOrder, b: SimOrder) => a.number - b.number || (a.id < b.id ? -1 : 1);
