import { z } from 'zod';
import { recordTypes, ttlSeconds } from '../../core/dns/record.ts';
import type { Area } from '../endpoint.ts';
import * as shape from './shapes.ts';

const entry = z.object({
  id: shape.givenId,
  /** The provider's text: the apex is '', and records from some clients have full names. `relativeHost` normalizes it. */
  host: shape.text,
  /** One of recordTypes, or a type that the document does not name. */
  type: z.string(),
  /** Null if absent, or if the type has no priority. */
  prio: shape.decimalOrNull,
  value: shape.word,
  /** Null means 3600. */
  ttl: shape.decimalOrNull,
});

const domain = z.object({
  name: z.string(),
  created: shape.textOrNull,
  updated: shape.textOrNull,
  entry_set: shape.orElse(z.array(entry), []),
  tags: shape.texts,
});
export type ProviderDomain = z.output<typeof domain>;

const recordType = z.enum(recordTypes);
const host = z.string().max(255);
const value = z.string().min(1).max(1024);
const prio = shape.uint32.nullable();
const ttl = z.literal(ttlSeconds).nullable();
const domainPath = z.strictObject({ name: shape.domainName });
const written = { name: shape.domainName, host, type: recordType, value };

export const dns = {
  domains: {
    route: 'GET /dns/domain/',
    input: z.strictObject({ q: z.string().optional(), tag: z.string().optional() }),
    output: domain,
    paginated: true,
  },
  createDomain: {
    route: 'POST /dns/domain/',
    input: z.strictObject({ name: shape.domainName.max(128), ip: z.ipv4() }),
    output: domain,
  },
  deleteDomain: { route: 'DELETE /dns/domain/{name}/', input: domainPath, output: shape.nothing },
  setTags: {
    route: 'PUT /dns/domain/{name}/tags/',
    // Replaces all tags. That an empty list removes them is likely, but not documented.
    input: z.strictObject({ name: shape.domainName, tags: z.array(z.string().min(1)) }),
    output: z.object({ tags: shape.texts }),
  },
  zoneFile: { route: 'GET /dns/domain/{name}/zone_file/', input: domainPath, output: z.string(), answers: 'text' },
  entries: {
    route: 'GET /dns/domain/{name}/entry_set/',
    input: z.strictObject({ name: shape.domainName, q: z.string().optional(), type: recordType.optional() }),
    output: z.array(entry),
  },
  createEntry: {
    route: 'POST /dns/domain/{name}/entry_set/',
    // The API allows an absent host without documenting its meaning, so it is required here.
    input: z.strictObject({ ...written, prio: prio.optional(), ttl: ttl.optional() }),
    output: entry,
  },
  updateEntry: {
    route: 'PUT /dns/domain/{name}/entry_set/{id}/',
    // All fields are required, since a field that a PUT omits keeps its old value.
    input: z.strictObject({ ...written, id: shape.id, prio, ttl }),
    output: entry,
  },
  deleteEntry: {
    route: 'DELETE /dns/domain/{name}/entry_set/{id}/',
    input: z.strictObject({ name: shape.domainName, id: shape.id }),
    output: shape.nothing,
  },
} as const satisfies Area;

export const domainOrders = {
  changeNs: {
    route: 'POST /dns/order/{order_id}/change_ns/',
    // A comma-separated string: 'ns1.example.com,ns2.example.com'.
    input: z.strictObject({ order_id: shape.orderId, nss: z.string().min(1) }),
    output: z.object({ nss: z.string() }),
  },
} as const satisfies Area;
