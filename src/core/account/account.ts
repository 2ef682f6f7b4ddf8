import { z } from 'zod';
import { canonicalAddress } from './ip-address.ts';

/** The account as commands see it, built from the provider's lists and cached; a plan reads its target again. */

export interface Order {
  readonly kind: 'vps' | 'ds' | 'other';
  readonly id: string;
  /** The name that people use: the order's name, else the hostname, else the id. */
  readonly label: string;
  readonly name: string;
  readonly hostname: string | null;
  readonly addresses: readonly string[];
  /** Further addresses from the provider's list of addresses; the order is found by them as well. */
  readonly moreAddresses: readonly string[];
  readonly type: string;
  readonly plan: string;
  readonly status: string;
  /** Null if the provider did not return it. */
  readonly costMonth: number | null;
  /** The price of the tariff for one term; null if the provider returns none. */
  readonly tariffPrice: number | null;
  /** In the provider's format; see time.ts for safe computations. */
  readonly expires: string | null;
  readonly tags: readonly string[];
  readonly project: { readonly id: number; readonly name: string } | null;
  readonly isCancelMarked: boolean;
}

/** The fields of the provider's response that make an order. */
interface OrderResponse extends Pick<Order, 'hostname' | 'id' | 'name' | 'project' | 'status' | 'tags' | 'type'> {
  readonly ipaddress_set: readonly string[];
  readonly tariff: string;
  readonly cost_month: number | null;
  readonly tariff_price: number | null;
  readonly expiration_date: string | null;
  readonly cancel_mark: boolean | null;
}

export function orderFrom(response: OrderResponse, kind: Order['kind'], moreAddresses: readonly string[] = []): Order {
  const { id, name, hostname, type, status, tags, project } = response;
  return {
    kind,
    id,
    // A name of spaces would leave a card without the name of its server.
    label: [name, hostname].find((word) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(word ?? '')) ?? id,
    name,
    hostname,
    addresses: response.ipaddress_set,
    moreAddresses,
    type,
    plan: response.tariff,
    status,
    costMonth: response.cost_month,
    tariffPrice: response.tariff_price,
    expires: response.expiration_date,
    tags,
    project: project === null ? null : { id: project.id, name: project.name },
    isCancelMarked: response.cancel_mark === true,
  };
}

export interface DnsRecord {
  readonly id: number;
  /** `@`, `*` or a name below the domain. */
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly prio: number | null;
  readonly ttl: number | null;
}

export interface Domain {
  readonly name: string;
  readonly tags: readonly string[];
  readonly records: readonly DnsRecord[];
  /** By the provider; undefined if it gives none, or a time without its zone. */
  readonly created?: number | undefined;
  readonly updated?: number | undefined;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly comment: string;
}

/** A malformed item of a list. */
export interface Unreadable {
  readonly id: string;
  /** The wrong fields, never their values: `cost_month: expected number`. */
  readonly why: string;
}

export interface UnreadableItem extends Unreadable {
  readonly kind: 'order' | 'domain' | 'project';
}

/** An address and its reverse DNS name, '' if unset. */
export interface ReverseName {
  readonly ip: string;
  readonly name: string;
}

export interface Account {
  readonly orders: readonly Order[];
  readonly domains: readonly Domain[];
  readonly projects: readonly Project[];
  readonly readAt: number;
  /** Malformed items, of which only the ids are known. */
  readonly unreadable: readonly UnreadableItem[];
  /** The parts that could not be read: their content is unknown, not empty. */
  readonly unread: readonly ('domains' | 'projects')[];
  /** The reverse DNS names of each order, by order id; undefined if the addresses could not be read. */
  readonly reverseNames: ReadonlyMap<string, readonly ReverseName[]> | undefined;
}

export const emptyAccount: Account = {
  orders: [],
  domains: [],
  projects: [],
  readAt: 0,
  unread: [],
  unreadable: [],
  reverseNames: undefined,
};

/** The subject of a permission or a lock. */
export const targetSchema = z.object({
  kind: z.enum(['order', 'domain', 'project', 'account', 'channel']),
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()).readonly(),
  project: z.string().nullable(),
});
export type Target = Readonly<z.infer<typeof targetSchema>>;

/** One order or domain, unlike the account, a project or a channel, which many unrelated requests have as a target. */
export function isOrderOrDomain({ kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'order' || kind === 'domain';
}

export const accountTarget: Target = { kind: 'account', id: 'account', name: 'the account', tags: [], project: null };

/** The virtual servers whose order is not over. */
export function liveServers(orders: readonly Order[]): Order[] {
  return orders.filter(({ kind, status }) => kind === 'vps' && status !== 'canceled');
}

/** The names by which a search finds an order. */
export function namesOf(order: Order): readonly string[] {
  return [order.id, order.name, order.hostname ?? '', ...addressesOf(order)];
}

export function addressesOf({ addresses, moreAddresses }: Order): readonly string[] {
  return [...addresses, ...moreAddresses];
}

export function hasAddress(address: string): (order: Order) => boolean {
  const wanted = canonicalAddress(address);
  if (wanted === undefined) return () => false;
  return (order) => addressesOf(order).some((own) => canonicalAddress(own) === wanted);
}

/** `34-12345 · 192.0.2.10 · Cloud NVMe 2`: identifies an order in addition to its name. */
export function identityOf(order: Order, state = ''): string {
  return [order.id, ...order.addresses.slice(0, 2), order.plan, state].filter((part) => part !== '').join(' · ');
}

export function orderTarget(order: Pick<Order, 'id' | 'label' | 'tags' | 'project'>): Target {
  return { kind: 'order', id: order.id, name: order.label, tags: order.tags, project: order.project?.name ?? null };
}

export function domainTarget(domain: { name: string; tags?: readonly string[] }): Target {
  return { kind: 'domain', id: domain.name, name: domain.name, tags: domain.tags ?? [], project: null };
}

export function projectTarget(project: { id: number; name: string }): Target {
  return { kind: 'project', id: String(project.id), name: project.name, tags: [], project: project.name };
}

/** A target for an unreadable item. Only its id is known, so no grant on a tag or project covers it. */
export function unreadableTarget({ kind, id }: Pick<UnreadableItem, 'kind' | 'id'>): Target {
  return { kind, id, name: id, tags: [], project: null };
}

export function channelTarget(channel: string): Target {
  return { kind: 'channel', id: channel, name: channel, tags: [], project: null };
}

/** Stands for everything with a tag: people who may read this target may read the tag. */
export function tagTarget(tag: string): Target {
  return { kind: 'order', id: '', name: '', tags: [tag], project: null };
}

/** A person's rights in a channel or a direct message. */
export interface ReaderAt {
  readonly channel: string;
  readonly may: (capability: 'read', target: Target) => boolean;
}

/** True if the reader may read all targets. A channel may be named only in itself. */
export function mayReadAll(targets: readonly Target[], { channel, may }: ReaderAt): boolean {
  return targets.every((target) => (target.kind === 'channel' ? target.id === channel : may('read', target)));
}

type Named = { readonly targets: readonly Target[]; readonly names?: readonly Target[] };

/** True if the reader may read everything that the request's text names. */
export function mayReadRequest({ targets, names = [] }: Named, reader: ReaderAt): boolean {
  return mayReadAll([...targets, ...names], reader);
}

/** People may know their own requests, and those of which they may read everything that the text names. */
export function mayKnow(
  request: Named & { readonly requester: string },
  person: string | undefined,
  reader?: ReaderAt,
) {
  return request.requester === person || (reader !== undefined && mayReadRequest(request, reader));
}

export function targetKey(target: Pick<Target, 'kind' | 'id'>): string {
  return `${target.kind}:${target.id}`;
}
