import { created, noContent, noSuch } from '../answer.ts';
import { paginated } from '../paginate.ts';
import { defineRoute } from '../router.ts';
import { wrongAsWhole } from '../validate.ts';
import { integerIn } from './find.ts';

export const privateNetworkRoutes = [
  defineRoute('GET /private-network/', (call) =>
    paginated(call, [...call.provider.state.networks.values()], ({ id }) => ({ id })),
  ),
  defineRoute('POST /private-network/', ({ provider }) => {
    const { networks, next } = provider.state;
    if (networks.size > 0) throw wrongAsWhole('The account already has a private network.');
    const network = { id: next.network++ };
    networks.set(network.id, network);
    provider.changed('network', network.id);
    return created({ id: network.id });
  }),
  defineRoute('GET /private-network/locations/', (call) =>
    paginated(call, call.provider.state.offer.networkLocations, ({ id, location }) => ({
      id,
      location: { ...location, icon: `${call.origin}/static/flags/${location.value}.svg` },
    })),
  ),
  defineRoute('DELETE /private-network/{id}/', ({ provider, params }) => {
    const id = integerIn(params.id);
    if (!provider.state.networks.delete(id)) throw noSuch('PrivateNetwork');
    for (const { vps } of provider.ordersBy('vps', 'id')) if (vps) vps.isPrivateNetworkEnabled = false;
    provider.changed('network', id);
    return noContent;
  }),
];
