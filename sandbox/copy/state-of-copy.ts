import type { OrderKind, ProviderData, ProviderSnapshot, SimOrder } from '../provider/model.ts';
import { newOrder, newServer } from '../provider/new-order.ts';
import { dayMs, numbers } from '../provider/numbers.ts';
import { orderTypes } from '../provider/present.ts';
import { seedSshKeys } from '../provider/seed/ssh-keys.ts';
import { emptyState, toSnapshot } from '../provider/snapshot.ts';
import type { AccountCopy } from './copy.ts';

/** The simulated provider's state for a copy, at the time of the copy. Fields that a copy does not have are made up. */
export function stateOfCopy(copy: AccountCopy, now = Date.now()): ProviderSnapshot {
  const state = emptyState();
  Object.assign(state.account, copy.account);
  state.offer = copy.offer;
  state.jobTimes = copy.jobTimes;
  for (const project of copy.projects) state.projects.set(project.id, { ...project, logo: null });
  for (const order of ordersOf(copy)) state.orders.set(order.id, order);
  for (const { name, created, updated, tags, entry_set } of copy.domains) {
    const entries = new Map(entry_set.map((entry) => [entry.id, entry]));
    state.domains.set(name, { name, createdAt: momentOf(created), updatedAt: momentOf(updated), tags, entries });
  }
  for (const { id } of copy.networks) state.networks.set(id, { id });
  for (const { id, name, size_gb: sizeGb, created_at } of copy.snapshots)
    state.snapshots.set(id, { id, name, sizeGb, createdAt: momentOf(created_at) ?? copy.at });
  addInvoices(state, copy);
  seedSshKeys(state, copy.at);
  state.strayAddresses = copy.addresses
    .filter(({ order }) => !state.orders.has(order?.unique_number ?? ''))
    .map(({ ip, rdns, location }) => ({ ip, rdns, location: location.value }));
  setNext(state);
  return toSnapshot(state, copy.at - now);
}

function ordersOf(copy: AccountCopy): SimOrder[] {
  const servers = new Map(copy.vps.map((server) => [server.id, server]));
  const dedicated = new Map(copy.ds.map((server) => [server.id, server]));
  const buckets = new Map(copy.buckets.map((bucket) => [bucket.id, bucket]));
  const addresses = Map.groupBy(copy.addresses, ({ order }) => order?.unique_number ?? '');
  return copy.orders.map((order) => {
    const { id, type } = order;
    const [vps, ds, bucket] = [servers.get(id), dedicated.get(id), buckets.get(id)];
    const own = addresses.get(id) ?? [];
    const location = own[0]?.location.value ?? copy.offer.locations[0]?.value ?? 'de';
    const kind = kindOf({ vps, ds, storage: bucket }, type);
    return newOrder({
      id,
      kind,
      ...(type === orderTypes[kind] ? {} : { type }),
      number: Number(id.split('-').at(-1)) || 0,
      name: order.name,
      tariff: order.tariff,
      tariffPrice: order.tariff_price,
      hostname: order.hostname,
      addresses: order.ipaddress_set,
      moreAddresses: own.map(({ ip }) => ip).filter((ip) => !order.ipaddress_set.includes(ip)),
      reverseDns: Object.fromEntries(own.map(({ ip, rdns }) => [ip, rdns])),
      location,
      status: order.status,
      costMonth: order.cost_month,
      termMonths: termOf(order),
      createdAt: copy.at,
      expiresAt: localMomentOf(order.expiration_date),
      tags: order.tags,
      hasCancelMark: order.cancel_mark,
      projectId: order.project?.id ?? null,
      vps:
        vps === undefined
          ? null
          : newServer({
              configuration: vps.configuration,
              location,
              power: vps.power,
              powerChangedAt: copy.at - dayMs,
              paid: order.cost_month ?? 0,
            }),
      ds: ds === undefined ? null : dedicatedOf(ds, copy.at),
      storage:
        bucket === undefined
          ? null
          : {
              accessKey: 'made-up',
              secretKey: 'made-up',
              bucket: bucket.bucket_name,
              usedGb: bucket.space_used,
              warnAtFreeGb: 0,
            },
    });
  });
}

/** The API names no term. A tariff's price that is a multiple of the monthly cost is the price of a term. */
function termOf({ tariff_price, cost_month }: AccountCopy['orders'][number]): number {
  const times = (tariff_price ?? 0) / (cost_month ?? 0);
  // The monthly cost is rounded.
  return numbers.terms.find((term) => Math.abs(times - term) < 0.02 * term) ?? 1;
}

/** The lists decide about servers and buckets, since types are texts of the provider. */
function kindOf(parts: Partial<Record<OrderKind, unknown>>, type: string): OrderKind {
  const listed = (['vps', 'ds', 'storage'] as const).find((kind) => parts[kind] !== undefined);
  return listed ?? (type === orderTypes.domain ? 'domain' : 'backup');
}

function dedicatedOf({ configuration, traffic }: AccountCopy['ds'][number], at: number): SimOrder['ds'] {
  const since = momentOf(traffic?.range_start ?? null) ?? at - 30 * dayMs;
  const unknown = { cpu_count: null, cpu: '', motherboard: '', chassis: '', bandwidth: null, memory: null };
  return {
    ...(configuration ?? { ...unknown, raid_controller: '', network_adapter: '', disks: '' }),
    trafficLimitBytes: traffic?.limit ?? Number.MAX_SAFE_INTEGER,
    trafficBytesPerSec: ((traffic?.used ?? 0) * 1_000) / Math.max(dayMs, at - since),
  };
}

/** The provider tells the number of unpaid invoices and their sum; the sum is divided. */
function addInvoices(state: ProviderData, { unpaid }: AccountCopy): void {
  const { unpaid_invoices_count: count, unpaid_invoices_amount: sum } = unpaid;
  const cents = Math.round(sum * 100);
  for (let n = 0; n < Math.min(count, 1_000); n++) {
    const share = Math.floor((cents * (n + 1)) / count) - Math.floor((cents * n) / count);
    const id = state.next.invoice++;
    state.invoices.set(id, { id, orderId: null, amount: share / 100, isPaid: false });
  }
}

function setNext(state: ProviderData): void {
  const after = (ids: Iterable<number>, least: number) => [...ids].reduce((next, id) => Math.max(next, id + 1), least);
  const { next } = state;
  next.vps = after(
    [...state.orders.values()].map(({ number }) => number),
    next.vps,
  );
  next.entry = after(
    [...state.domains.values()].flatMap(({ entries }) => [...entries.keys()]),
    next.entry,
  );
  next.project = after(state.projects.keys(), next.project);
  next.snapshot = after(state.snapshots.keys(), next.snapshot);
  next.network = after(state.networks.keys(), next.network);
}

/** Another word than a date is null. A text without a zone is UTC. */
function momentOf(date: string | null): number | null {
  const ms = Date.parse(zoneOf(date) === '' && date?.includes('T') === true ? `${date}Z` : (date ?? ''));
  return Number.isNaN(ms) ? null : ms;
}

/** A text without a zone is in the provider's local time, as the simulated provider writes it again. */
function localMomentOf(date: string | null): number | null {
  const ms = momentOf(date);
  return ms === null || zoneOf(date) !== '' ? ms : ms - numbers.localOffsetMinutes * 60_000;
}

const zoneOf = (date: string | null): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]*(Z|[+-]\d\d:?\d\d)$/.exec(date ?? '')?.[1] ?? '';
