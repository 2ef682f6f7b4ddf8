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

/** All addresses of existing services, including those that the order itself does not list. */
export function publicAddresses(provider: ProviderState, origin: string) {
  return [...provider.state.orders.values()].flatMap((order) => {
    const code = order.vps?.location ?? 'de';
    const label = provider.state.offer.locations.find(({ value }) => value === code)?.label ?? code;
    return [...(order.addresses ?? []), ...order.moreAddresses].map((ip) => ({
      id: idOf(ip),
      ip,
      location: { value: code, label, icon: `${origin}/static/flags/${code}.svg` },
      rdns: order.reverseDns[ip] ?? '',
      order: {
        id: order.number,
        name: order.name,
        type: order.kind,
        link: `/my/orders/${order.id}/`,
        unique_number: order.id,
      },
    }));
  });
}

/** A stable id for an address. */
function idOf(ip: string): number {
  let hash = 7;
  for (const char of ip) hash = (hash * 31 + char.charCodeAt(0)) % 2_147_483_647;
  return hash;
}
