import type { Account, Domain, ReverseName, UnreadableItem } from '../core/account/account.ts';
import { orderFrom } from '../core/account/account.ts';
import { isSameAddress } from '../core/account/ip-address.ts';
import { relativeHost } from '../core/dns/record.ts';
import { parseProviderDate } from '../core/view/days.ts';
import type { ProviderDomain } from './endpoints/dns.ts';
import { type InventoryParts, type InventoryReader, parts as partNames } from './inventory.ts';
import { type ItemList, listOf } from './items.ts';

export type AccountReader = ReturnType<typeof createAccountReader>;

/** Stands for a list that could not be read. */
const unreadList = listOf<never>([]);
const unreadParts = { domains: unreadList, projects: unreadList, addresses: unreadList };
/** Addresses rarely move from one order to another. */
const addressesMaxAgeMs = 5 * 60_000;

/** Reads the account, in which typed names are found; cached for seconds. */
export function createAccountReader(inventory: InventoryReader) {
  let last: { readonly parts: InventoryParts; readonly account: Account } | undefined;

  function build(parts: InventoryParts, readAt: number, unread: Account['unread']): Account {
    const isSame = partNames.every((name) => last?.parts[name] === parts[name]);
    if (isSame && last && last.account.unread.join() === unread.join()) return { ...last.account, readAt };
    const vps = idsOf(parts.vps);
    const ds = idsOf(parts.ds);
    const addresses = Map.groupBy(parts.addresses, ({ order }) => order?.unique_number ?? '');
    const reverseNames: ReadonlyMap<string, readonly ReverseName[]> = new Map(
      [...addresses].map(([id, own]) => [id, own.map(({ ip, rdns }) => ({ ip, name: rdns }))]),
    );
    const account: Account = {
      orders: parts.orders.map((order) =>
        orderFrom(
          order,
          vps.has(order.id) ? 'vps' : ds.has(order.id) ? 'ds' : 'other',
          (reverseNames.get(order.id) ?? [])
            .map(({ ip }) => ip)
            .filter((address) => !order.ipaddress_set.some((own) => isSameAddress(own, address))),
        ),
      ),
      domains: parts.domains.map(domainOf),
      projects: parts.projects.map(({ id, name, comment }) => ({ id, name, comment })),
      readAt,
      unread,
      unreadable: unreadableIn(parts),
      reverseNames: parts.addresses === unreadList ? undefined : reverseNames,
    };
    last = { parts, account };
    return account;
  }

  function peek(): Account | undefined {
    const parts = inventory.peek(['orders', 'vps', 'ds', 'domains', 'projects']);
    if (parts === undefined) return last?.account;
    const addresses = inventory.peek(['addresses'])?.addresses ?? unreadList;
    return build({ ...parts, addresses }, parts.readAt, last?.account.unread ?? []);
  }

  return {
    /** The account, at most 30 s old, or younger with `maxAgeMs`. */
    read: async (how: { maxAgeMs?: number; staleOk?: boolean } = {}): Promise<Account> => {
      const soft = { ...how, staleOk: true };
      const [orders, domains, projects, addresses] = await Promise.all([
        inventory.read(['orders', 'vps', 'ds'], how),
        inventory.read(['domains'], soft).catch(() => undefined),
        inventory.read(['projects'], soft).catch(() => undefined),
        inventory.read(['addresses'], { staleOk: true, maxAgeMs: addressesMaxAgeMs }).catch(() => undefined),
      ]);
      const isUnread = (read: { readonly error: unknown } | undefined) =>
        read === undefined || read.error !== undefined;
      const unread = (['domains', 'projects'] as const).filter((part) => isUnread({ domains, projects }[part]));
      return build({ ...unreadParts, ...orders, ...domains, ...projects, ...addresses }, orders.readAt, unread);
    },
    /** Returns the account in memory, at any age. */
    peek,
    /**
     * The account and the lists in memory, for responses while the provider is unavailable. Other reads throw `error`;
     * `used` is called with the time of each read used. Undefined until the account was read once.
     */
    recall: (error: unknown, used: (readAt: number) => void) => {
      const account = peek();
      if (account === undefined) return undefined;
      // Addresses are read less often than the other lists.
      const readAt = Math.min(account.readAt, inventory.peek(['addresses'])?.readAt ?? account.readAt);
      return {
        account: async (): Promise<Account> => {
          used(readAt);
          return { ...account, readAt };
        },
        reader: inventory.recall(error, used),
      };
    },
    invalidate: () => inventory.invalidate(),
  };
}

/** Includes unreadable items: a server without a readable configuration is still a server. */
function idsOf(list: ItemList<{ readonly id: string }>): ReadonlySet<string> {
  return new Set([...list, ...list.unreadable].map(({ id }) => id));
}

/** Considers only the list of all orders: an order that is malformed in another list can still be read. */
function unreadableIn(parts: InventoryParts): UnreadableItem[] {
  return (['order', 'domain', 'project'] as const).flatMap((kind) =>
    parts[`${kind}s`].unreadable.map((item) => ({ ...item, kind })),
  );
}

/** Undefined for a text without a zone. */
function instantOf(text: string | null): number | undefined {
  const date = parseProviderDate(text);
  return date?.isNaive === false ? date.ms : undefined;
}

function domainOf(domain: ProviderDomain): Domain {
  return {
    name: domain.name,
    tags: domain.tags,
    created: instantOf(domain.created),
    updated: instantOf(domain.updated),
    records: domain.entry_set.map((entry) => ({ ...entry, host: relativeHost(entry.host, domain.name) })),
  };
}
