import type { ProviderData, SimOrder, VpsPart } from '../model.ts';
import { newOrder, newServer } from '../new-order.ts';
import { configurationOf, vpsPlans } from '../tariffs.ts';

type VpsWish = Partial<Omit<SimOrder, 'vps'>> &
  Pick<SimOrder, 'number' | 'createdAt' | 'expiresAt'> & {
    plan: number;
    vps: Pick<VpsPart, 'location'> & Partial<VpsPart>;
  };

/** A server with a plan's hardware, price and name. */
export function vpsOrder({ plan: planId, vps, ...wish }: VpsWish): SimOrder {
  const plan = vpsPlans.find((one) => one.id === planId);
  if (!plan) throw new Error(`seeding the provider: there is no plan ${planId}`);
  return newOrder({
    id: `34-${wish.number}`,
    kind: 'vps',
    tariff: plan.name,
    tariffPrice: plan.price,
    costMonth: plan.price,
    ...wish,
    vps: newServer({
      configuration: configurationOf(plan),
      powerChangedAt: wish.createdAt,
      paid: plan.price,
      ...vps,
    }),
  });
}

export function addOrders(state: ProviderData, orders: readonly SimOrder[]): void {
  for (const one of orders) state.orders.set(one.id, one);
}
