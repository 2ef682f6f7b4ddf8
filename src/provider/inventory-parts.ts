import type { ProviderDomain } from './endpoints/dns.ts';
import type { DsOrder } from './endpoints/ds.ts';
import type { PublicAddress } from './endpoints/network.ts';
import type { ProviderOrder } from './endpoints/orders.ts';
import type { ProviderProject } from './endpoints/projects.ts';
import type { VpsOrder } from './endpoints/vps-orders.ts';
import type { ItemList } from './items.ts';

/** The account's contents. VPS and dedicated servers are in `orders` too; their own lists add the configuration. */
export interface InventoryParts {
  readonly orders: ItemList<ProviderOrder>;
  readonly vps: ItemList<VpsOrder>;
  readonly ds: ItemList<DsOrder>;
  /** Domains with their records, which the domain list includes. */
  readonly domains: ItemList<ProviderDomain>;
  readonly projects: ItemList<ProviderProject>;
  /** All addresses, each with its order; an order's own list of addresses may be incomplete. */
  readonly addresses: ItemList<PublicAddress>;
}
export type InventoryPart = keyof InventoryParts;
