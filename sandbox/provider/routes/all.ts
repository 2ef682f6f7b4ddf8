import type { SimRoute } from '../router.ts';
import { accountRoutes } from './account.ts';
import { dnsDomainRoutes } from './dns-domains.ts';
import { dnsRecordRoutes } from './dns-records.ts';
import { domainOrderRoutes } from './domain-orders.ts';
import { dsRoutes } from './ds.ts';
import { networkRoutes } from './network.ts';
import { orderRoutes } from './orders.ts';
import { planRoutes } from './plans.ts';
import { privateNetworkRoutes } from './private-network.ts';
import { projectRoutes } from './projects.ts';
import { reinstallRoutes } from './reinstall.ts';
import { s3Routes } from './s3.ts';
import { sshKeyRoutes } from './ssh-keys.ts';
import { ticketRoutes } from './tickets.ts';
import { vpsControlRoutes } from './vps-controls.ts';
import { vpsOrderRoutes } from './vps-orders.ts';
import { vpsSettingsRoutes } from './vps-settings.ts';

/** All 75 operations of the provider's API. */
export const routes: readonly SimRoute[] = [
  ...accountRoutes,
  ...planRoutes,
  ...projectRoutes,
  ...orderRoutes,
  ...vpsOrderRoutes,
  ...reinstallRoutes,
  ...vpsControlRoutes,
  ...vpsSettingsRoutes,
  ...privateNetworkRoutes,
  ...dsRoutes,
  ...dnsDomainRoutes,
  ...dnsRecordRoutes,
  ...domainOrderRoutes,
  ...sshKeyRoutes,
  ...networkRoutes,
  ...s3Routes,
  ...ticketRoutes,
];
