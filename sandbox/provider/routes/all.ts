import type { SimRoute } from '../router.ts';
import { accountRoutes } from './account.ts';
import { dnsDomainRoutes } from './dns-domains.ts';
import { dnsRecordRoutes } from './dns-records.ts';
import { domainOrderRoutes } from './domain-orders.ts';
import { dsRoutes } from './ds.ts';
import { orderRoutes } from './orders.ts';
import { planRoutes } from './plans.ts';
import { privateNetworkRoutes } from './private-network.ts';
import { projectRoutes } from './projects.ts';
import { reinstallRoutes } from './reinstall.ts';
import { vpsControlRoutes } from './vps-controls.ts';
import { vpsOrderRoutes } from './vps-orders.ts';
import { vpsSettingsRoutes } from './vps-settings.ts';

/** All 61 operations of the provider's API. */
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
];
