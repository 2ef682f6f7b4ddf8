import type { SimOrder } from './model.ts';
import type { ProviderState } from './types.ts';

/** The documentation networks of RFC 5737, by location; RFC 2544's 198.18.0.0/15 is used beyond them. */
const networks: Record<string, string> = { de: '192.0.2', nl: '198.51.100', es: '203.0.113' };
const firstHost = 100;
const lastHost = 250;

export function assignAddress(provider: ProviderState, order: SimOrder): void {
  const network = networks[order.vps?.location ?? ''];
  const number = provider.state.next.address++;
  const host = firstHost + number;
  order.addresses = [network && host <= lastHost ? `${network}.${host}` : benchmarkAddress(number)];
}

export function benchmarkAddress(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** All addresses, including those that their order does not list, and those without an order. */
export function publicAddresses(provider: ProviderState, origin: string) {
  const address = (ip: string, code: string, rdns: string, order: SimOrder | null) => ({
    id: idOf(ip),
    ip,
    location: {
      value: code,
      label: provider.state.offer.locations.find(({ value }) => value === code)?.label ?? code,
      icon: `${origin}/static/flags/${code}.svg`,
    },
    rdns,
    order: order && {
      id: order.number,
      name: order.name,
      type: order.kind,
      link: `/my/orders/${order.id}/`,
      unique_number: order.id,
    },
  });
  const ofOrders = [...provider.state.orders.values()].flatMap((order) =>
    [...(order.addresses ?? []), ...order.moreAddresses].map((ip) =>
      address(ip, order.vps?.location ?? order.location ?? 'de', order.reverseDns[ip] ?? '', order),
    ),
  );
  return [
    ...ofOrders,
    ...provider.state.strayAddresses.map(({ ip, location, rdns }) => address(ip, location, rdns, null)),
  ];
}

/** A stable id for an address. */
function idOf(ip: string): number {
  let hash = 7;
  for (const char of ip) hash = (hash * 31 + char.charCodeAt(0)) % 2_147_483_647;
  return hash;
}
