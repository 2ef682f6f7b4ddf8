import { addressesOf, type Domain, type Order } from '../account/account.ts';
import { canonicalAddress } from '../account/ip-address.ts';
import { fullName } from './record.ts';

/** The names in these zones that point to an address of the order. */
export function namesLeadingTo(order: Order, domains: readonly Domain[]): string[] {
  const own = new Set(addressesOf(order).map((address) => canonicalAddress(address)));
  const names = domains.flatMap(({ name, records }) =>
    records
      .filter(({ type, value }) => (type === 'A' || type === 'AAAA') && own.has(canonicalAddress(value) ?? value))
      .map(({ host }) => fullName(host, name)),
  );
  return [...new Set(names)];
}
