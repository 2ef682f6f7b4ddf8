import { ok } from '../answer.ts';
import { defineRoute } from '../router.ts';
import { backupPlans, dedicatedPlans, hostingPlans, vpsPlans } from '../tariffs.ts';

export const planRoutes = [
  defineRoute('GET /plans/backups', () => ok(backupPlans)),
  defineRoute('GET /plans/dedicated', () => ok(dedicatedPlans)),
  defineRoute('GET /plans/hosting', () => ok(hostingPlans)),
  defineRoute('GET /plans/vps', () => ok(vpsPlans)),
];
