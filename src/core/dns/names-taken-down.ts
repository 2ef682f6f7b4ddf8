import { addressesOf, type Domain, type Order } from '../account/account.ts';
import { canonicalAddress } from '../account/ip-address.ts';
import { fullName } from './record.ts';

/** Names that point to several of the given servers and to no other. */
export interface SharedNames {
  readonly names: readonly string[];
  readonly servers: readonly Order[];
}

/** The names in these zones that at least two of the given orders and no other server serve, grouped by servers. */
export function namesTakenDown(orders: readonly Order[], domains: readonly Domain[]): SharedNames[] {
  const byServers = new Map<string, { names: string[]; servers: readonly Order[] }>();
  for (const { name, records } of domains) {
    const addresses = records.filter(({ type }) => type === 'A' || type === 'AAAA');
    for (const [host, own] of Map.groupBy(addresses, (record) => record.host)) {
      const behind = own.map(({ value }) => serversAt(value, orders));
      const servers = orders.filter((order) => behind.some((some) => some.includes(order)));
      if (servers.length < 2 || behind.some((some) => some.length === 0)) continue;
      const key = servers.map(({ id }) => id).join(' ');
      const entry = byServers.get(key) ?? { names: [], servers };
      entry.names.push(fullName(host, name));
      byServers.set(key, entry);
    }
  }
  return [...byServers.values()];
}

function serversAt(address: string, orders: readonly Order[]): readonly Order[] {
  const wanted = canonicalAddress(address) ?? address;
  return orders.filter((order) => addressesOf(order).some((own) => (canonicalAddress(own) ?? own) === wanted));
}
