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

/** The simulated provider's state, clock and faults, which handlers and control functions share. */
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
  /** Replaces the state and runs its overdue changes. */
  load(state: ProviderData, clockOffsetMs: number): void;
  restore(snapshot: ProviderSnapshot): void;
  /** The sorted orders of one kind, or all. Lists are cached until an order is added, removed or changes its date. */
  ordersBy(kind: OrderKind | undefined, ordering: 'id' | 'expired'): readonly SimOrder[];
  addOrder(order: SimOrder): void;
  redate(order: SimOrder, expiresAt: number | null): void;
  setStatus(order: SimOrder, status: OrderStatus): void;
  setPower(order: SimOrder, power: SimPower): void;
  addInvoice(orderId: string | null, amount: number): Invoice;
  pay(amount: number): void;
}
