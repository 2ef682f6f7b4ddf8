import { isIPv4, isIPv6 } from 'node:net';
import type { SimDnsEntry, SimDomain } from './model.ts';
import type { ProviderState } from './types.ts';
import { invalid, wrongAsWhole } from './validate.ts';

const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const hostPattern = new RegExp(`^(\\*|${label})(\\.${label})*$`);
const namePattern = new RegExp(`^${label}(\\.${label})*\\.?$`, 'i');

const isHostName = (value: string) => value.length <= 255 && namePattern.test(value);
export const isDomainName = (value: string) => isHostName(value) && value.includes('.') && !value.endsWith('.');

const valueRules: Readonly<Record<string, { readonly fits: (value: string) => boolean; readonly message: string }>> = {
  A: { fits: isIPv4, message: 'Enter a valid IPv4 address.' },
  AAAA: { fits: isIPv6, message: 'Enter a valid IPv6 address.' },
  CNAME: { fits: isHostName, message: 'Enter a valid host name.' },
  NS: { fits: isHostName, message: 'Enter a valid host name.' },
  MX: { fits: isHostName, message: 'Enter a valid host name.' },
  SRV: {
    fits: (value) => /^\d{1,5} \d{1,5} \S+$/.test(value) && isHostName(value.split(' ')[2] ?? ''),
    message: 'Enter a valid SRV value: weight, port and target.',
  },
  CAA: {
    fits: (value) => /^\d{1,3} [a-z0-9]+ ("[^"]*"|\S+)$/i.test(value),
    message: 'Enter a valid CAA value: flags, tag and value.',
  },
  TXT: { fits: () => true, message: '' },
};

/** Normalizes a host: the apex is the empty string, and the domain is removed from full names. */
export function normalHost(domain: string, host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, '');
  if (bare === '@' || bare === domain) return '';
  return bare.endsWith(`.${domain}`) ? bare.slice(0, -domain.length - 1) : bare;
}

/** Adds the entry, or replaces the one with its id. */
export function putEntry(provider: ProviderState, domain: SimDomain, entry: SimDnsEntry): SimDnsEntry {
  checkEntry(domain, entry);
  const kept = entry.id === 0 ? { ...entry, id: provider.state.next.entry++ } : entry;
  domain.entries.set(kept.id, kept);
  touch(provider, domain);
  return kept;
}

export function removeEntry(provider: ProviderState, domain: SimDomain, id: number): boolean {
  const isThere = domain.entries.delete(id);
  if (isThere) touch(provider, domain);
  return isThere;
}

function touch(provider: ProviderState, domain: SimDomain): void {
  domain.updatedAt = provider.clock.now();
  provider.changed('domain', domain.name);
}

/** Refuses an entry that is invalid beside the zone's other records. */
function checkEntry(domain: SimDomain, entry: SimDnsEntry): void {
  if (entry.host !== '' && !hostPattern.test(entry.host)) throw invalid({ host: ['Enter a valid host name.'] });
  const rule = valueRules[entry.type];
  if (rule?.fits(entry.value) === false) throw invalid({ value: [rule.message] });
  if (entry.type === 'CNAME' && entry.host === '') {
    throw wrongAsWhole('A CNAME record cannot be created for the domain itself.');
  }
  const value = comparable(entry);
  for (const other of domain.entries.values()) {
    if (other.id === entry.id || other.host !== entry.host) continue;
    if (other.type === entry.type && comparable(other) === value) {
      throw wrongAsWhole('The fields host, type, value must make a unique set.');
    }
    if (other.type === 'CNAME' || entry.type === 'CNAME') {
      throw wrongAsWhole('A CNAME record cannot coexist with other records of the same host.');
    }
  }
}

const comparable = ({ type, value }: SimDnsEntry) => (type === 'TXT' ? value : value.toLowerCase().replace(/\.$/, ''));

/**
 * The entry for a response. Null values of `prio` and `ttl` are absent for some ids, so that clients meet both forms.
 */
export function presentEntry(entry: SimDnsEntry) {
  return {
    id: entry.id,
    host: entry.host,
    type: entry.type,
    ...(entry.prio === null && entry.id % 2 === 0 ? {} : { prio: entry.prio }),
    value: entry.value,
    ...(entry.ttl === null && entry.id % 3 === 0 ? {} : { ttl: entry.ttl }),
  };
}
