import { apps, diskClasses, locations, networkLocations, services, templates } from './catalog.ts';
import type { ProviderOffer } from './offer.ts';
import { backupPlans, dedicatedPlans, hostingPlans, vpsPlans } from './tariffs.ts';

export const usualOffer: ProviderOffer = {
  vpsPlans,
  dedicatedPlans,
  hostingPlans,
  backupPlans,
  templates,
  apps,
  locations,
  diskClasses,
  services,
  networkLocations,
};
