import { created, noContent, noSuch, ok } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import { recordTypes, type SimDnsEntry, type SimDomain } from '../model.ts';
import { numbers } from '../numbers.ts';
import { normalHost, presentEntry, putEntry, removeEntry } from '../records.ts';
import { defineRoute } from '../router.ts';
import { choice, integer, nullable, optional, required, text, validate } from '../validate.ts';
import { findDomain, integerIn } from './find.ts';

const slots = {
  host: optional(text({ max: 255, mayBeBlank: true })),
  type: required(choice(recordTypes)),
  prio: optional(nullable(integer({ min: 0, max: numbers.prioMax }))),
  value: required(text({ min: 1, max: 1024 })),
  ttl: optional(nullable(choice(numbers.ttlChoices))),
};

export const dnsRecordRoutes = [
  defineRoute('GET /dns/domain/{name}/entry_set/', (call) => {
    const q = call.query.get('q')?.toLowerCase() ?? '';
    const query = Object.fromEntries([...call.query].filter(([name, value]) => name === 'type' && value !== ''));
    const domain = findDomain(call);
    const { type } = validate(query, { type: optional(choice(recordTypes)) });
    const entries = [...domain.entries.values()].filter(
      (entry) =>
        (type === undefined || entry.type === type) &&
        (q === '' ||
          [entry.host, fullName(entry.host, domain.name), entry.value.toLowerCase()].some((it) => it.includes(q))),
    );
    return ok(entries.map(presentEntry));
  }),
  defineRoute('POST /dns/domain/{name}/entry_set/', (call) => {
    const domain = findDomain(call);
    const fresh: SimDnsEntry = { id: 0, host: '', type: 'A', prio: null, value: '', ttl: null };
    const entry = changedBy(fresh, domain, call);
    return created(presentEntry(putEntry(call.provider, domain, entry)));
  }),
  defineRoute('PUT /dns/domain/{name}/entry_set/{id}/', (call) => {
    const domain = findDomain(call);
    const entry = changedBy(findEntry(domain, call.params.id), domain, call);
    return ok(presentEntry(putEntry(call.provider, domain, entry)));
  }),
  defineRoute('DELETE /dns/domain/{name}/entry_set/{id}/', (call) => {
    const domain = findDomain(call);
    removeEntry(call.provider, domain, findEntry(domain, call.params.id).id);
    return noContent;
  }),
];

/** The full name, for which clients such as acme.sh search. */
const fullName = (host: string, domain: string) => (host === '' ? domain : `${host}.${domain}`);

function findEntry(domain: SimDomain, id: string): SimDnsEntry {
  const entry = domain.entries.get(integerIn(id));
  if (!entry) throw noSuch('Entry');
  return entry;
}

/** Keeps optional fields that the body omits, as the provider's PUT does. */
function changedBy(old: SimDnsEntry, domain: SimDomain, call: ProviderRequestCall<'name'>): SimDnsEntry {
  const body = validate(call.data(), slots);
  return {
    id: old.id,
    host: body.host === undefined ? old.host : normalHost(domain.name, body.host),
    type: body.type,
    prio: body.prio === undefined ? old.prio : body.prio,
    value: body.value,
    ttl: body.ttl === undefined ? old.ttl : body.ttl,
  };
}
