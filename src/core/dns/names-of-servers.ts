import { addressesOf, type Domain, hasAddress, type Order } from '../account/account.ts';
import { canonicalAddress } from '../account/ip-address.ts';
import { bare, fullName, isAddress } from './record.ts';

/** Names in zones of the account, and the servers to whose addresses they point. */

const mostAliases = 5;

/** The orders to whose address a name in these zones points, also through aliases. */
export function behindName(name: string, orders: readonly Order[], domains: readonly Domain[]): readonly Order[] {
  const recordsAt = (wanted: string) =>
    domains
      .filter((domain) => wanted === domain.name.toLowerCase() || wanted.endsWith(`.${domain.name.toLowerCase()}`))
      .flatMap((domain) =>
        domain.records.filter((record) => fullName(record.host, domain.name).toLowerCase() === wanted),
      );
  let records = recordsAt(name);
  for (let hops = 0; hops < mostAliases; hops++) {
    const [alias] = records.filter(({ type }) => type === 'CNAME');
    if (alias === undefined) break;
    records = recordsAt(bare(alias.value));
  }
  const addresses = new Set(records.filter(isAddress).map(({ value }) => value));
  return orders.filter((order) => order.addresses.some((address) => addresses.has(address)));
}

/** The names in these zones that point to an address of the order, each with the first such address. */
export function namesLeadingTo(order: Order, domains: readonly Domain[]): ReadonlyMap<string, string> {
  const own = new Set(addressesOf(order).map((address) => canonicalAddress(address)));
  const names = new Map<string, string>();
  for (const { name, records } of domains) {
    for (const record of records.filter(isAddress)) {
      const [full, address] = [fullName(record.host, name), canonicalAddress(record.value) ?? record.value];
      if (own.has(address) && !names.has(full)) names.set(full, address);
    }
  }
  return names;
}

/** Names that point to several of the given servers and to no other. */
export interface SharedNames {
  readonly names: readonly string[];
  readonly servers: readonly Order[];
}

/** The names in these zones that at least two of the given orders and no other server serve, grouped by servers. */
export function namesTakenDown(orders: readonly Order[], domains: readonly Domain[]): SharedNames[] {
  const byServers = new Map<string, { names: string[]; servers: readonly Order[] }>();
  for (const { name, records } of domains) {
    for (const [host, own] of Map.groupBy(records.filter(isAddress), (record) => record.host)) {
      const behind = own.map(({ value }) => orders.filter(hasAddress(value)));
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
