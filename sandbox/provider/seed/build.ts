import type { ProviderData, SimOrder, VpsPart } from '../model.ts';
import { newOrder, newServer } from '../new-order.ts';
import { configurationOf, vpsPlans } from '../tariffs.ts';

type VpsWish = Partial<Omit<SimOrder, 'vps'>> &
  Pick<SimOrder, 'number' | 'createdAt' | 'expiresAt'> & {
    plan: number;
    vps: Pick<VpsPart, 'location'> & Partial<VpsPart>;
  };

/** A server with a plan's hardware, price and name. */
export function vpsOrder({ plan: planId, vps, ...fields }: VpsWish): SimOrder {
  const plan = vpsPlans.find((candidate) => candidate.id === planId);
  if (!plan) throw new Error(`seeding the provider: there is no plan ${planId}`);
  return newOrder({
    id: `34-${fields.number}`,
    kind: 'vps',
    tariff: plan.name,
    tariffPrice: plan.price,
    costMonth: plan.price,
    ...fields,
    vps: newServer({
      configuration: configurationOf(plan),
      powerChangedAt: fields.createdAt,
      paid: plan.price,
      ...vps,
    }),
  });
}

export function addOrders(state: ProviderData, orders: readonly SimOrder[]): void {
  for (const order of orders) state.orders.set(order.id, order);
}
