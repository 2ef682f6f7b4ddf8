import { z } from 'zod';
import { addressesOf, type Domain, type Order } from '../account/account.ts';
import { canonicalAddress } from '../account/ip-address.ts';
import { namesLeadingTo } from '../dns/names-of-servers.ts';
import { bare, fullName } from '../dns/record.ts';
import { list } from '../text/words.ts';

/** The services of a server that can be tried from outside, and the words for them. */

const serviceSchema = z.object({
  address: z.string(),
  port: z.number(),
  /** A name in a zone of the account, for a request over HTTPS. */
  name: z.string().exactOptional(),
});
export type Service = z.infer<typeof serviceSchema>;

export const probedSchema = serviceSchema.extend({
  ms: z.number(),
  /** Absent if it answered. */
  why: z.string().exactOptional(),
  /** No connection was opened, because of the address. */
  isUnopened: z.literal(true).exactOptional(),
  /** `its certificate has expired` */
  certificate: z.string().exactOptional(),
});
export type Probed = z.infer<typeof probedSchema>;

/** Tries services from the outside: the port of src/outside/prober.ts. Never throws. */
export interface Prober {
  /** The reason if it tries nothing. */
  readonly whyOff?: string;
  readonly probe: (services: readonly Service[]) => Promise<readonly Probed[]>;
  /** The addresses of a name, as this machine resolves it. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
}

export function noProber(whyOff: string): Prober {
  return { whyOff, probe: async () => [], resolve: async () => [] };
}

const usualPorts = [22, 80, 443];
const mostAddresses = 3;
const mostNames = 5;
/** The name of a host, without `*` and `_`. */
const hostName = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export function isHostName(name: string): boolean {
  return hostName.test(name);
}

/** The services of a server: its usual ports, and HTTPS of the first names in these zones that point to it. */
export function servicesOf(order: Order, domains: readonly Domain[], morePorts: readonly number[] = []): Service[] {
  const addresses = new Set(addressesOf(order).flatMap((address) => canonicalAddress(address) ?? []));
  const ports = [...new Set([...usualPorts, ...morePorts])];
  return [
    ...namesAt(order, domains).map(([name, address]) => ({ address, port: 443, name })),
    ...[...addresses].slice(0, mostAddresses).flatMap((address) => ports.map((port) => ({ address, port }))),
  ];
}

/** The names that lead to the order, by themselves or as an alias, short ones first. */
function namesAt(order: Order, domains: readonly Domain[]): [string, string][] {
  const leading = [...namesLeadingTo(order, domains)];
  const addressOf = new Map(leading.map(([name, address]) => [name.toLowerCase(), address]));
  for (const { name, records } of domains) {
    for (const { host, value } of records.filter(({ type }) => type === 'CNAME')) {
      const address = addressOf.get(bare(value));
      if (address !== undefined) addressOf.set(fullName(host, name).toLowerCase(), address);
    }
  }
  return [...addressOf]
    .filter(([name]) => isHostName(name))
    .toSorted(([a], [b]) => a.length - b.length)
    .slice(0, mostNames);
}

const portNames: Readonly<Record<number, string>> = { 22: 'ssh', 80: 'http', 443: 'https' };

/** `https www.example.com`, `ssh`, `port 5432` */
export function sayService({ name, port }: Service): string {
  return name === undefined ? (portNames[port] ?? `port ${port}`) : `https ${name}`;
}

export function isSameService(a: Service, b: Service): boolean {
  return a.address === b.address && a.port === b.port && a.name === b.name;
}

/** `https www.example.com (its certificate has expired) and ssh`; HTTPS of a name stands for the port. */
export function sayServices(services: readonly (Service & { readonly certificate?: string })[]): string {
  const isNamed = services.some(({ name }) => name !== undefined);
  const shown = services.filter(({ name, port }) => name !== undefined || port !== 443 || !isNamed);
  const words = shown.map((service) => {
    const { certificate } = service;
    return `${sayService(service)}${certificate === undefined ? '' : ` (${certificate})`}`;
  });
  return list([...new Set(words)]);
}

/** `ssh (12 ms) and https www.example.com (84 ms, its certificate has expired)` */
export function sayTimes(probed: readonly Probed[]): string {
  return list(
    probed.map((each) => `${sayService(each)} (${[`${each.ms} ms`, each.certificate ?? []].flat().join(', ')})`),
  );
}

export function hasAnswered({ why }: Probed): boolean {
  return why === undefined;
}

/** `https www.example.com (84 ms) answers; ssh: it refuses connections` */
export function sayProbed(probed: readonly Probed[]): string {
  const answered = probed.filter(hasAnswered);
  const silent = [...Map.groupBy(probed, ({ why = '' }) => why)].filter(([why]) => why !== '');
  const words = silent.map(([why, each]) => `${[...new Set(each.map(sayService))].join(', ')}: ${why}`);
  if (answered.length === 0) return words.join('; ');
  return [`${sayTimes(answered)} ${answered.length === 1 ? 'answers' : 'answer'}`, ...words].join('; ');
}
