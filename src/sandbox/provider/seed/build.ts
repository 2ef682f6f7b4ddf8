import type { Order, State, VpsPart } from '../model.ts';
import { createPassword } from '../password.ts';
import { hardwareOf, vpsPlans } from '../tariffs.ts';

type VpsWish = Partial<Omit<Order, 'vps'>> &
  Pick<Order, 'number' | 'createdAt' | 'expiresAt'> & {
    plan: number;
    vps: Pick<VpsPart, 'location'> & Partial<VpsPart>;
  };

/** An order with everything a seed does not care about filled in. */
export function order(wish: Partial<Order> & Pick<Order, 'id' | 'kind' | 'createdAt' | 'expiresAt'>): Order {
  return {
    number: Number(wish.id.split('-')[1]),
    name: '',
    tariff: '',
    tariffPrice: null,
    hostname: null,
    addresses: null,
    status: 'active',
    costMonth: 0,
    termMonths: 1,
    isAutorenewed: true,
    tags: [],
    hasCancelMark: false,
    hasBackupOnCancel: false,
    cancelAt: null,
    projectId: null,
    vps: null,
    ds: null,
    nameservers: null,
    ...wish,
  };
}

export function vpsOrder({ plan: planId, vps, ...wish }: VpsWish): Order {
  const plan = vpsPlans.find((one) => one.id === planId);
  if (!plan) throw new Error(`seeding the provider: there is no plan ${planId}`);
  return order({
    id: `34-${wish.number}`,
    kind: 'vps',
    tariff: plan.name,
    tariffPrice: plan.price,
    costMonth: plan.price,
    ...wish,
    vps: {
      configuration: {
        ...hardwareOf(plan),
        cpu_arch: 'x86_64',
        min_cpu_freq: 2.4,
        disk_class: plan.disk_class?.id ?? null,
      },
      os: 'Debian 12',
      power: 'on',
      powerChangedAt: wish.createdAt,
      isRescue: false,
      isPrivateNetworkEnabled: false,
      runningJob: null,
      password: createPassword(),
      webhook: null,
      paid: plan.price,
      ...vps,
    },
  });
}

export function addOrders(state: State, orders: readonly Order[]): void {
  for (const one of orders) state.orders.set(one.id, one);
}
