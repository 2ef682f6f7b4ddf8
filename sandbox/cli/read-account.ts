import { ProviderError } from '../../src/core/view/errors.ts';
import type { Reader } from '../../src/provider/client.ts';
import { type AccountCopy, parseCopy } from '../copy/copy.ts';
import { type Book, emptyBook } from './read-book.ts';

export interface ReadAccount {
  readonly copy: AccountCopy;
  /** Sentences about the parts that could not be read. */
  readonly notes: readonly string[];
}

/** Reads the account once. Only the list of orders has to be readable; the other parts are left out with a note. */
export async function readAccount(reader: Reader, at: number, book: Book = emptyBook): Promise<ReadAccount> {
  const notes = new Set<string>();
  const refused = new Set<string>();
  const noteUnreadable = (name: string, value: unknown) => {
    if (!Array.isArray(value) || !('unreadable' in value) || !Array.isArray(value.unreadable)) return;
    const left = value.unreadable.length;
    if (left > 0) notes.add(`${left} of the ${name} cannot be read and ${left === 1 ? 'is' : 'are'} left out.`);
  };
  const part = async <T, U>(name: string, read: Promise<T>, otherwise: U): Promise<T | U> => {
    try {
      const value = await read;
      noteUnreadable(name, value);
      return value;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'forbidden') refused.add(name);
      notes.add(`The ${name} cannot be read and are left out: ${error.message}.`);
      return otherwise;
    }
  };
  const orders = await reader.orders.list();
  noteUnreadable('orders', orders);
  const list = <T>(name: string, read: Promise<readonly T[]>) => part(name, read, [] as readonly T[]);
  const [vps, ds, buckets, domains, projects, addresses, networks] = await Promise.all([
    list('configurations of servers', reader.vpsOrders.list()),
    list('dedicated servers', reader.ds.list()),
    list('buckets', reader.s3.list()),
    list('domains', reader.dns.domains()),
    list('projects', reader.projects.list()),
    list('addresses', reader.network.addresses()),
    list('private networks', reader.privateNetworks.list()),
  ]);
  const noInvoices = { unpaid_invoices_count: 0, unpaid_invoices_amount: 0 };
  const info = await part('names of the account', reader.account.info(), { name: '' });
  const balance = await part('balances', reader.account.balance(), { balance: 0, currency: 'EUR' });
  const powerOf = async (id: string) => (await reader.vps.status({ order_id: id })).status;
  const trafficOf = (id: string) => reader.ds.trafficUsed({ order_id: Number(id.split('-')[1]) });
  const copy = {
    version: 1,
    at,
    account: { ...info, ...balance },
    unpaid: await part('unpaid invoices', reader.account.invoices(), noInvoices),
    projects,
    orders,
    vps: await Promise.all(
      vps.map(async (server) => ({
        ...server,
        power: hasUsualId(server) ? await part('powers of some servers', powerOf(server.id), 'unknown') : 'unknown',
      })),
    ),
    ds: await Promise.all(
      ds.map(async (server) => ({
        ...server,
        traffic: hasUsualId(server) ? await part('limits of traffic', trafficOf(server.id), null) : null,
      })),
    ),
    buckets: buckets.map(({ bucket_name, access_key, ...bucket }) => ({
      ...bucket,
      // The provider puts the access key into the name.
      bucket_name: access_key === '' ? bucket_name : bucket_name.replaceAll(access_key, 'made-up'),
    })),
    domains,
    addresses,
    networks,
    snapshots: await list('snapshots', reader.vpsOrders.snapshots()),
    offer: await together({
      vpsPlans: list('plans of servers', reader.plans.vps()),
      dedicatedPlans: list('plans of dedicated servers', reader.plans.dedicated()),
      hostingPlans: list('plans of hosting', reader.plans.hosting()),
      backupPlans: list('plans of backups', reader.plans.backups()),
      templates: list('templates', reader.vpsOrders.templates()),
      apps: list('apps', reader.vpsOrders.apps()),
      locations: list('locations', reader.vpsOrders.locations()),
      diskClasses: list('disk classes', reader.vpsOrders.disks()),
      services: list('services', reader.vpsOrders.services()),
      networkLocations: list('locations of private networks', reader.privateNetworks.locations()),
    }),
    mayCreateServers: !refused.has('templates'),
    ...book,
  };
  return { copy: parseCopy(copy), notes: [...notes] };
}

/** Waits for all of them at the same time; the schema of a copy checks the results. */
async function together(reads: Readonly<Record<string, Promise<unknown>>>): Promise<Record<string, unknown>> {
  const results = Object.entries(reads).map(async ([name, read]) => [name, await read] as const);
  return Object.fromEntries(await Promise.all(results));
}

/** A server with another id can be listed, but not read by itself. */
const hasUsualId = ({ id }: { readonly id: string }) => /^\d+-\d+$/.test(id);
