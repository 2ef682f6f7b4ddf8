import { ok } from '../answer.ts';
import { presentSnapshot, presentVpsOrder } from '../present.ts';
import { defineRoute } from '../router.ts';
import { createVps } from './create-vps.ts';
import { findVps } from './find.ts';
import { listOrders } from './order-list.ts';

export const vpsOrderRoutes = [
  defineRoute('GET /orders/vps/', (call) =>
    listOrders(call, 'vps', (order) => presentVpsOrder(call.provider, order, call.origin)),
  ),
  defineRoute('POST /orders/vps/', createVps, 'createVps'),
  defineRoute('GET /orders/vps/templates/', ({ provider }) => ok(provider.state.offer.templates), 'createVps'),
  defineRoute('GET /orders/vps/apps/', ({ provider }) => ok(provider.state.offer.apps), 'createVps'),
  defineRoute(
    'GET /orders/vps/snapshots/',
    ({ provider }) => ok([...provider.state.snapshots.values()].map(presentSnapshot)),
    'createVps',
  ),
  defineRoute('GET /orders/vps/services/', ({ provider }) => ok(provider.state.offer.services), 'createVps'),
  defineRoute('GET /orders/vps/locations/', ({ provider }) => ok(provider.state.offer.locations)),
  defineRoute('GET /orders/vps/disks/', ({ provider }) => ok(provider.state.offer.diskClasses)),
  defineRoute('GET /orders/vps/{order_id}/', ({ provider, params, origin }) =>
    ok(presentVpsOrder(provider, findVps(provider, params.order_id), origin)),
  ),
];
