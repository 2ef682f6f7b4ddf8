import type { ProviderData, ProviderSnapshot } from './model.ts';
import { usualOffer } from './usual-offer.ts';

export function toSnapshot(state: ProviderData, clockOffsetMs: number): ProviderSnapshot {
  return structuredClone({
    version: 2,
    clockOffsetMs,
    offer: state.offer,
    jobTimes: state.jobTimes,
    strayAddresses: state.strayAddresses,
    account: state.account,
    invoices: [...state.invoices.values()],
    projects: [...state.projects.values()],
    orders: [...state.orders.values()],
    jobs: [...state.jobs.values()],
    domains: [...state.domains.values()].map((domain) => ({ ...domain, entries: [...domain.entries.values()] })),
    networks: [...state.networks.values()],
    snapshots: [...state.snapshots.values()],
    sshKeys: [...state.sshKeys.values()],
    tickets: [...state.tickets.values()],
    ticketWebhook: state.ticketWebhook,
    deliveries: state.deliveries,
    next: state.next,
  } satisfies ProviderSnapshot);
}

export function fromSnapshot(snapshot: ProviderSnapshot): ProviderData {
  if (snapshot.version !== 2) throw new Error(`reading a provider snapshot: version ${snapshot.version} is not known`);
  const copy = structuredClone(snapshot);
  return {
    offer: copy.offer ?? usualOffer,
    jobTimes: copy.jobTimes ?? {},
    strayAddresses: copy.strayAddresses ?? [],
    account: copy.account,
    invoices: byKey(copy.invoices, (invoice) => invoice.id),
    projects: byKey(copy.projects, (project) => project.id),
    orders: byKey(copy.orders, (order) => order.id),
    jobs: byKey(copy.jobs, (job) => job.pk),
    domains: byKey(
      copy.domains.map((domain) => ({ ...domain, entries: byKey(domain.entries, (entry) => entry.id) })),
      (domain) => domain.name,
    ),
    networks: byKey(copy.networks, (network) => network.id),
    snapshots: byKey(copy.snapshots, (item) => item.id),
    sshKeys: byKey(copy.sshKeys, (key) => key.id),
    tickets: byKey(copy.tickets, (ticket) => ticket.id),
    ticketWebhook: copy.ticketWebhook,
    deliveries: copy.deliveries,
    next: copy.next,
  };
}

export function emptyState(): ProviderData {
  return {
    offer: usualOffer,
    jobTimes: {},
    strayAddresses: [],
    account: { email: 'ops@example.com', name: 'Example Ltd', currency: 'EUR', balance: 0 },
    invoices: new Map(),
    projects: new Map(),
    orders: new Map(),
    jobs: new Map(),
    domains: new Map(),
    networks: new Map(),
    snapshots: new Map(),
    sshKeys: new Map(),
    tickets: new Map(),
    ticketWebhook: { url: '', lastErrorAt: null, lastError: null },
    deliveries: [],
    next: {
      vps: 10_001,
      job: 1,
      entry: 1,
      project: 1,
      snapshot: 1,
      invoice: 1,
      network: 1,
      address: 0,
      sshKey: 1,
      ticket: 1,
    },
  };
}

function byKey<K, V>(items: readonly V[], key: (item: V) => K): Map<K, V> {
  return new Map(items.map((item) => [key(item), item]));
}
