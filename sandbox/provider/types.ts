import type { Changes } from '../changes.ts';
import type { Clock } from './clock.ts';
import type { ProviderFaults } from './faults.ts';
import type { Invoice, OrderKind, OrderStatus, ProviderData, ProviderSnapshot, SimOrder, SimPower } from './model.ts';
import type { RequestLog } from './request-log.ts';

export type Feature = 'createVps' | 'createDomain';

export interface ProviderChange {
  readonly what:
    | 'request'
    | 'order'
    | 'job'
    | 'domain'
    | 'project'
    | 'network'
    | 'account'
    | 'webhook'
    | 'sshKey'
    | 'ticket'
    | 'faults'
    | 'settings'
    | 'clock'
    | 'all';
  readonly id?: string | number;
}

export interface ProviderSettings {
  jobMs: { min: number; max: number };
  features: Record<Feature, boolean>;
}

/** The simulated provider's state, clock and faults. Handlers and the control functions share it. */
export interface ProviderState {
  readonly clock: Clock;
  readonly faults: ProviderFaults;
  readonly log: RequestLog;
  readonly settings: ProviderSettings;
  readonly options: { readonly pageSizeMax: number };
  readonly closing: AbortController;
  state: ProviderData;
  changed(what: ProviderChange['what'], id?: string | number): void;
  onChange: Changes<ProviderChange>['onChange'];
  /** Replaces the state and runs everything that is overdue in it. */
  load(state: ProviderData, clockOffsetMs: number): void;
  restore(snapshot: ProviderSnapshot): void;
  /** Orders of one kind, or all, sorted. The lists are kept until an order comes, goes or changes its date. */
  ordersBy(kind: OrderKind | undefined, ordering: 'id' | 'expired'): readonly SimOrder[];
  addOrder(order: SimOrder): void;
  redate(order: SimOrder, expiresAt: number): void;
  setStatus(order: SimOrder, status: OrderStatus): void;
  setPower(order: SimOrder, power: SimPower): void;
  addInvoice(orderId: string | null, amount: number): Invoice;
  pay(amount: number): void;
}
