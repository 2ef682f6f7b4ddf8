import { created, noContent, ok } from '../answer.ts';
import type { SimDnsEntry, SimDomain } from '../model.ts';
import { nameservers } from '../nameservers.ts';
import { paginated } from '../paginate.ts';
import { isDomainName, presentEntry } from '../records.ts';
import { defineRoute } from '../router.ts';
import { offsetDate } from '../time.ts';
import type { ProviderState } from '../types.ts';
import { fail, ipv4, list, required, text, validate } from '../validate.ts';
import { zoneFile } from '../zone.ts';
import { findDomain } from './find.ts';

export const dnsDomainRoutes = [
  defineRoute('GET /dns/domain/', (call) => {
    const q = call.query.get('q')?.toLowerCase() ?? '';
    const tag = call.query.get('tag') ?? '';
    const domains = [...call.provider.state.domains.values()].filter(
      (domain) =>
        (q === '' || domain.name.includes(q) || hasAddress(domain, q)) && (tag === '' || domain.tags.includes(tag)),
    );
    return paginated(call, domains, presentDomain);
  }),
  defineRoute(
    'POST /dns/domain/',
    ({ provider, data }) => {
      const body = validate(data(), { name: required(newName(provider)), ip: required(ipv4) });
      const now = provider.clock.now();
      const domain: SimDomain = { name: body.name, createdAt: now, updatedAt: now, tags: [], entries: new Map() };
      for (const value of nameservers) addEntry(provider, domain, { host: '', type: 'NS', value });
      addEntry(provider, domain, { host: '', type: 'A', value: body.ip });
      addEntry(provider, domain, { host: 'www', type: 'CNAME', value: domain.name });
      provider.state.domains.set(domain.name, domain);
      provider.changed('domain', domain.name);
      return created(presentDomain(domain));
    },
    'createDomain',
  ),
  defineRoute('DELETE /dns/domain/{name}/', (call) => {
    const { name } = findDomain(call);
    call.provider.state.domains.delete(name);
    call.provider.changed('domain', name);
    return noContent;
  }),
  defineRoute('PUT /dns/domain/{name}/tags/', (call) => {
    const domain = findDomain(call);
    domain.tags = [...new Set(validate(call.data(), { tags: required(list(text({ min: 1 }))) }).tags)];
    call.provider.changed('domain', domain.name);
    return ok({ tags: domain.tags });
  }),
  defineRoute('GET /dns/domain/{name}/zone_file/', (call) => ({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: zoneFile(findDomain(call)),
  })),
];

const newName = (provider: ProviderState) => (input: unknown) => {
  const name = text({ max: 128 })(input).toLowerCase();
  if (!isDomainName(name)) return fail('Enter a valid domain name.');
  return provider.state.domains.has(name) ? fail('domain with this name already exists.') : name;
};

function addEntry(
  provider: ProviderState,
  domain: SimDomain,
  { host, type, value }: Pick<SimDnsEntry, 'host' | 'type' | 'value'>,
): void {
  const id = provider.state.next.entry++;
  domain.entries.set(id, { id, host, type, prio: null, value, ttl: null });
}

function hasAddress(domain: SimDomain, q: string): boolean {
  return [...domain.entries.values()].some(({ type, value }) => (type === 'A' || type === 'AAAA') && value.includes(q));
}

function presentDomain(domain: SimDomain) {
  return {
    name: domain.name,
    created: domain.createdAt === null ? null : offsetDate(domain.createdAt),
    updated: domain.updatedAt === null ? null : offsetDate(domain.updatedAt),
    entry_set: [...domain.entries.values()].map(presentEntry),
    tags: domain.tags,
  };
}
