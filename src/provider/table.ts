import { account, network, privateNetworks, sshKeys, tickets } from './endpoints/account.ts';
import { dns, domainOrders } from './endpoints/dns.ts';
import { ds, orders, projects, s3 } from './endpoints/orders.ts';
import { plans, reinstall, vps, vpsOrders } from './endpoints/vps-orders.ts';

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
  sshKeys,
  network,
  s3,
  tickets,
} as const;
export type Table = typeof table;
