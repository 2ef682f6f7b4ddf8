import { ok } from '../answer.ts';
import { defineRoute } from '../router.ts';

export const planRoutes = [
  defineRoute('GET /plans/backups', ({ provider }) => ok(provider.state.offer.backupPlans)),
  defineRoute('GET /plans/dedicated', ({ provider }) => ok(provider.state.offer.dedicatedPlans)),
  defineRoute('GET /plans/hosting', ({ provider }) => ok(provider.state.offer.hostingPlans)),
  defineRoute('GET /plans/vps', ({ provider }) => ok(provider.state.offer.vpsPlans)),
];
