import { account } from './endpoints/account.ts';
import { dns } from './endpoints/dns.ts';
import { domainOrders } from './endpoints/domain-orders.ts';
import { ds } from './endpoints/ds.ts';
import { orders } from './endpoints/orders.ts';
import { plans } from './endpoints/plans.ts';
import { privateNetworks } from './endpoints/private-networks.ts';
import { projects } from './endpoints/projects.ts';
import { reinstall } from './endpoints/reinstall.ts';
import { vps } from './endpoints/vps.ts';
import { vpsOrders } from './endpoints/vps-orders.ts';

/** Every operation of the provider's API, by area and name: `table.vps.restart`. */
export const table = {
  account,
  plans,
  projects,
  orders,
  vpsOrders,
  reinstall,
  vps,
  privateNetworks,
  ds,
  dns,
  domainOrders,
} as const;
export type Table = typeof table;
