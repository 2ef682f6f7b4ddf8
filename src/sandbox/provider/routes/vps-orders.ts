import { ok } from '../answer.ts';
import { apps, diskClasses, locations, services, templates } from '../catalogue.ts';
import type { DiskSnapshot } from '../model.ts';
import { presentVpsOrder } from '../present.ts';
import { defineRoute } from '../router.ts';
import { zuluDate } from '../time.ts';
import { createVps } from './create-vps.ts';
import { findVps } from './find.ts';
import { listOrders } from './order-list.ts';

export const vpsOrderRoutes = [
  defineRoute('GET /orders/vps/', (call) =>
    listOrders(call, 'vps', (order) => presentVpsOrder(call.world, order, call.origin)),
  ),
  defineRoute('POST /orders/vps/', createVps, 'createVps'),
  defineRoute('GET /orders/vps/templates/', () => ok(templates), 'createVps'),
  defineRoute('GET /orders/vps/apps/', () => ok(apps), 'createVps'),
  defineRoute(
    'GET /orders/vps/snapshots/',
    ({ world }) => ok([...world.state.snapshots.values()].map(presentSnapshot)),
    'createVps',
  ),
  defineRoute('GET /orders/vps/services/', () => ok(services), 'createVps'),
  defineRoute('GET /orders/vps/locations/', () => ok(locations)),
  defineRoute('GET /orders/vps/disks/', () => ok(diskClasses)),
  defineRoute('GET /orders/vps/{order_id}/', ({ world, params, origin }) =>
    ok(presentVpsOrder(world, findVps(world, params.order_id), origin)),
  ),
];

export function presentSnapshot(snapshot: DiskSnapshot) {
  return {
    id: snapshot.id,
    name: snapshot.name,
    size_gb: snapshot.sizeGb,
    created_at: zuluDate(snapshot.createdAt),
  };
}
