import type { SimOrder } from './model.ts';
import type { ProviderState } from './types.ts';

/** The documentation networks of RFC 5737, by location; who needs more gets RFC 2544's 198.18.0.0/15. */
const networks: Record<string, string> = { de: '192.0.2', nl: '198.51.100', es: '203.0.113' };
const firstHost = 100;
const lastHost = 250;

export function assignAddress(world: ProviderState, order: SimOrder): void {
  const network = networks[order.vps?.location ?? ''];
  const number = world.state.next.address++;
  const host = firstHost + number;
  order.addresses = [network && host <= lastHost ? `${network}.${host}` : benchmarkAddress(number)];
}

export function benchmarkAddress(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}
