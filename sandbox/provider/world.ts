import { type Changes, createChanges } from '../changes.ts';
import { type Clock, createClock } from './clock.ts';
import { createFaults, type Faults } from './faults.ts';
import { scheduleJob } from './jobs.ts';
import type { Invoice, Order, OrderKind, OrderStatus, Power, ProviderSnapshot, State } from './model.ts';
import { scheduleOrder } from './order-life.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import type { Feature } from './router.ts';
import { emptyState, fromSnapshot } from './snapshot.ts';
import { roundMoney } from './time.ts';

export interface Change {
  readonly what:
    | 'request'
    | 'order'
    | 'job'
    | 'domain'
    | 'project'
    | 'network'
    | 'account'
    | 'webhook'
    | 'faults'
    | 'settings'
    | 'clock'
    | 'all';
  readonly id?: string | number;
}

export interface Settings {
  jobMs: { min: number; max: number };
  features: Record<Feature, boolean>;
}

/** The simulated provider's memory, clock and weather. Handlers and the control functions work on it alike. */
export interface World {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly settings: Settings;
  readonly options: { readonly pageSizeMax: number };
  readonly closing: AbortController;
  state: State;
  changed(what: Change['what'], id?: string | number): void;
  onChange: Changes<Change>['onChange'];
  /** Puts another state in place and brings what is overdue in it to pass. */
  load(state: State, clockOffsetMs: number): void;
  restore(snapshot: ProviderSnapshot): void;
  /** Orders of one kind, or all, sorted. The lists are kept until an order comes, goes or changes its date. */
  ordersBy(kind: OrderKind | undefined, ordering: 'id' | 'expired'): readonly Order[];
  addOrder(order: Order): void;
  redate(order: Order, expiresAt: number): void;
  setStatus(order: Order, status: OrderStatus): void;
  setPower(order: Order, power: Power): void;
  addInvoice(orderId: string | null, amount: number): Invoice;
  pay(amount: number): void;
}

export function createWorld(settings: Settings, options: World['options']): World {
  const changes = createChanges<Change>();
  const sorted = new Map<string, readonly Order[]>();
  const world: World = {
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

const byNumber = (a: Order, b: Order) => a.number - b.number || (a.id < b.id ? -1 : 1);
