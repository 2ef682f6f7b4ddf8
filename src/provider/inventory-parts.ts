import type { ProviderDomain } from './endpoints/dns.ts';
import type { DsOrder } from './endpoints/ds.ts';
import type { PublicAddress } from './endpoints/network.ts';
import type { ProviderOrder } from './endpoints/orders.ts';
import type { ProviderProject } from './endpoints/projects.ts';
import type { VpsOrder } from './endpoints/vps-orders.ts';
import type { ItemList } from './items.ts';

/** The contents of the account. VPS and dedicated servers are among `orders` too, here with their configuration. */
export interface InventoryParts {
  readonly orders: ItemList<ProviderOrder>;
  readonly vps: ItemList<VpsOrder>;
  readonly ds: ItemList<DsOrder>;
  /** With their records, as the domain list carries them. */
  readonly domains: ItemList<ProviderDomain>;
  readonly projects: ItemList<ProviderProject>;
  /** Every address with the order that it belongs to; an order's own row may leave some out. */
  readonly addresses: ItemList<PublicAddress>;
}
export type InventoryPart = keyof InventoryParts;
