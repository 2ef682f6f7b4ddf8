import { apps, diskClasses, locations, networkLocations, services, templates } from './catalog.ts';
import type { Offer } from './model.ts';
import { backupPlans, dedicatedPlans, hostingPlans, vpsPlans } from './tariffs.ts';

export const usualOffer: Offer = {
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
