import { created, noContent, noSuch } from '../answer.ts';
import { networkLocations } from '../catalog.ts';
import { paginated } from '../paginate.ts';
import { defineRoute } from '../router.ts';
import { wrongAsWhole } from '../validate.ts';
import { integerIn } from './find.ts';

export const privateNetworkRoutes = [
  defineRoute('GET /private-network/', (call) =>
    paginated(call, [...call.world.state.networks.values()], ({ id }) => ({ id })),
  ),
  defineRoute('POST /private-network/', ({ world }) => {
    const { networks, next } = world.state;
    if (networks.size > 0) throw wrongAsWhole('The account already has a private network.');
    const network = { id: next.network++ };
    networks.set(network.id, network);
    world.changed('network', network.id);
    return created({ id: network.id });
  }),
  defineRoute('GET /private-network/locations/', (call) =>
    paginated(call, networkLocations, ({ id, location }) => ({
      id,
      location: { ...location, icon: `${call.origin}${location.icon}` },
    })),
  ),
  defineRoute('DELETE /private-network/{id}/', ({ world, params }) => {
    const id = integerIn(params.id);
    if (!world.state.networks.delete(id)) throw noSuch('PrivateNetwork');
    for (const { vps } of world.ordersBy('vps', 'id')) if (vps) vps.isPrivateNetworkEnabled = false;
    world.changed('network', id);
    return noContent;
  }),
];
