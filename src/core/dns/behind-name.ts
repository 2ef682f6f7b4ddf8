import { type Account, domainTarget, type Order, type Target } from '../account/account.ts';
import { bare, fullName } from './record.ts';

const mostAliases = 5;

/**
 * The orders to whose address a name in the account's zones points, also through aliases. Only zones that the person
 * may see are used.
 */
export function behindName(
  name: string,
  seen: readonly Order[],
  { account, maySee }: { readonly account: Account; readonly maySee: (target: Target) => boolean },
): readonly Order[] {
  const zones = account.domains.filter((domain) => maySee(domainTarget(domain)));
  const recordsAt = (wanted: string) =>
    zones
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
  const addresses = new Set(records.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ value }) => value));
  return seen.filter((order) => order.addresses.some((address) => addresses.has(address)));
}
