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

export function createProviderState(settings: ProviderSettings, options: ProviderState['options']): ProviderState {
  const changes = createChanges<ProviderChange>();
  const sorted = new Map<string, readonly SimOrder[]>();
  const provider: ProviderState = {
    clock: createClock(),
    faults: createFaults(() => provider.changed('faults')),
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
      provider.state = state;
      sorted.clear();
      provider.clock.restart(clockOffsetMs);
      for (const job of state.jobs.values()) scheduleJob(provider, job);
      for (const order of state.orders.values()) scheduleOrder(provider, order);
      provider.clock.advance(0);
      provider.changed('all');
    },
    restore: (snapshot) => provider.load(fromSnapshot(snapshot), snapshot.clockOffsetMs),
    ordersBy(kind, ordering) {
      const key = `${kind ?? 'all'} ${ordering}`;
      const cached = sorted.get(key);
      if (cached) return cached;
      const list = [...provider.state.orders.values()].filter((order) => kind === undefined || order.kind === kind);
      list.sort(ordering === 'expired' ? (a, b) => endOf(a) - endOf(b) || byNumber(a, b) : byNumber);
      sorted.set(key, list);
      return list;
    },
    addOrder(order) {
      provider.state.orders.set(order.id, order);
      sorted.clear();
      scheduleOrder(provider, order);
      provider.changed('order', order.id);
    },
    redate(order, expiresAt) {
      order.expiresAt = expiresAt;
      sorted.clear();
      scheduleOrder(provider, order);
      provider.changed('order', order.id);
    },
    setStatus(order, status) {
      order.status = status;
      if (order.vps && status !== 'active' && status !== 'noprolong') {
        provider.setPower(order, status === 'canceled' ? 'unknown' : 'off');
      }
      scheduleOrder(provider, order);
      provider.changed('order', order.id);
    },
    setPower(order, power) {
      if (!order.vps || order.vps.power === power) return;
      order.vps.power = power;
      order.vps.powerChangedAt = provider.clock.now();
      if (power === 'on') order.vps.boot = provider.faults.nextBoot(order.id);
      provider.changed('order', order.id);
    },
    addInvoice(orderId, amount) {
      const invoice: Invoice = { id: provider.state.next.invoice++, orderId, amount, isPaid: false };
      provider.state.invoices.set(invoice.id, invoice);
      provider.changed('account');
      return invoice;
    },
    pay(amount) {
      provider.state.account.balance = roundMoney(provider.state.account.balance - amount);
      provider.changed('account');
    },
  };
  return provider;
}

/** An order without an end is sorted as the last. */
const endOf = ({ expiresAt }: SimOrder) => expiresAt ?? Number.MAX_SAFE_INTEGER;
const byNumber = (a: SimOrder, b: SimOrder) => a.number - b.number || (a.id < b.id ? -1 : 1);
