import { canonicalAddress } from './ip-address.ts';

/**
 * The account as commands see it: everything that can be named. Built from the provider's lists and kept for seconds; a
 * plan reads its target again before it says anything about it.
 */

export interface Order {
  readonly kind: 'vps' | 'ds' | 'other';
  readonly id: string;
  /** The name that people use: the order's name, else the hostname, else the id. */
  readonly label: string;
  readonly name: string;
  readonly hostname: string | null;
  readonly addresses: readonly string[];
  /** Addresses that the provider lists for it elsewhere: the order is found by them as well. */
  readonly moreAddresses: readonly string[];
  readonly type: string;
  readonly plan: string;
  readonly status: string;
  /** Null when the provider did not say it. */
  readonly costMonth: number | null;
  /** The price of the tariff for one term; null when the provider gives none. */
  readonly tariffPrice: number | null;
  /** As the provider wrote it; see time.ts for what may be computed from it. */
  readonly expires: string | null;
  readonly tags: readonly string[];
  readonly project: { readonly id: number; readonly name: string } | null;
  readonly isCancelMarked: boolean;
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
}

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly comment: string;
}

/** An item of a list whose form is not the expected one. */
export interface Unreadable {
  readonly id: string;
  /** By field, never by value: `cost_month: expected number`. */
  readonly why: string;
}

export interface UnreadableItem extends Unreadable {
  readonly kind: 'order' | 'domain' | 'project';
}

/** An address and the name that its reverse DNS gives; '' where none is set. */
export interface ReverseName {
  readonly ip: string;
  readonly name: string;
}

export interface Account {
  readonly orders: readonly Order[];
  readonly domains: readonly Domain[];
  readonly projects: readonly Project[];
  readonly readAt: number;
  /** Items of the account that cannot be read: only their ids are known. */
  readonly unreadable: readonly UnreadableItem[];
  /** The parts that could not be read just now: they are "unknown", never "none". */
  readonly unread: readonly ('domains' | 'projects')[];
  /** The reverse DNS names of each order, by its id; undefined while the addresses could not be read. */
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

/** The thing that a permission is about and that a lock is taken on. */
export interface Target {
  readonly kind: 'order' | 'domain' | 'project' | 'account' | 'channel';
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly project: string | null;
}

export const accountTarget: Target = { kind: 'account', id: 'account', name: 'the account', tags: [], project: null };

/** The names by which an order is searched for. */
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

/** `34-12345 · 192.0.2.10 · Cloud NVMe 2`: which order it is, beside its name. */
export function identityOf(order: Order, state = ''): string {
  return [order.id, ...order.addresses.slice(0, 2), order.plan, state].filter((part) => part !== '').join(' · ');
}

export function orderTarget(order: Order): Target {
  return { kind: 'order', id: order.id, name: order.label, tags: order.tags, project: order.project?.name ?? null };
}

export function domainTarget(domain: { name: string; tags?: readonly string[] }): Target {
  return { kind: 'domain', id: domain.name, name: domain.name, tags: domain.tags ?? [], project: null };
}

export function projectTarget(project: { id: number; name: string }): Target {
  return { kind: 'project', id: String(project.id), name: project.name, tags: [], project: project.name };
}

/** Of an unreadable item only the id is known, so no grant on a tag or project reaches it. */
export function unreadableTarget({ kind, id }: Pick<UnreadableItem, 'kind' | 'id'>): Target {
  return { kind, id, name: id, tags: [], project: null };
}

export function channelTarget(channel: string): Target {
  return { kind: 'channel', id: channel, name: channel, tags: [], project: null };
}

/** Stands for all that carries a tag: people who may read it may read the tag. */
export function tagTarget(tag: string): Target {
  return { kind: 'order', id: '', name: '', tags: [tag], project: null };
}

/** A person's rights at a place: a channel, or a direct message, which is none. */
export interface ReaderAt {
  readonly channel: string;
  readonly may: (capability: 'read', target: Target) => boolean;
}

/** A channel is no secret in itself, and is one everywhere else; every other target is one until it may be read. */
export function mayReadAll(targets: readonly Target[], { channel, may }: ReaderAt): boolean {
  return targets.every((target) => (target.kind === 'channel' ? target.id === channel : may('read', target)));
}

/** A request is told to people who may read all that its words name. */
export function mayReadRequest(
  { targets, names = [] }: { readonly targets: readonly Target[]; readonly names?: readonly Target[] },
  reader: ReaderAt,
): boolean {
  return mayReadAll([...targets, ...names], reader);
}

export function targetKey(target: Pick<Target, 'kind' | 'id'>): string {
  return `${target.kind}:${target.id}`;
}
