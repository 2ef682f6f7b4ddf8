import { account } from './endpoints/account.ts';
import { dns, domainOrders } from './endpoints/dns.ts';
import { ds } from './endpoints/ds.ts';
import { network, privateNetworks } from './endpoints/network.ts';
import { orders } from './endpoints/orders.ts';
import { plans } from './endpoints/plans.ts';
import { projects } from './endpoints/projects.ts';
import { s3 } from './endpoints/s3.ts';
import { sshKeys } from './endpoints/ssh-keys.ts';
import { tickets } from './endpoints/tickets.ts';
import { vps } from './endpoints/vps.ts';
import { reinstall, vpsOrders } from './endpoints/vps-orders.ts';

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
