import { z } from 'zod';

/**
 * A copy of an account. The schema lists the copied fields: parsing drops every other one. Passwords, keys, e-mail
 * addresses, tickets and invoices are not in it.
 */

const text = z.string().max(65_536);
const texts = z.array(text).max(1_000);
const textOrNull = text.nullable();
const numberOrNull = z.number().nullable();
const decimal = z.union([z.number(), text]);
const id = z.int();
const many = <T extends z.ZodType>(item: T) => z.array(item).max(100_000);

const order = z.object({
  id: text,
  name: text,
  tariff: text,
  tariff_price: numberOrNull,
  type: text,
  hostname: textOrNull,
  ipaddress_set: texts,
  status: text,
  cost_month: numberOrNull,
  expiration_date: textOrNull,
  tags: texts,
  cancel_mark: z.boolean().nullable(),
  project: z.object({ id }).nullable(),
});

const server = z.object({
  id: text,
  configuration: z
    .object({
      cpu_count: numberOrNull,
      ram_size: numberOrNull,
      disk_size: numberOrNull,
      cpu_arch: textOrNull,
      min_cpu_freq: numberOrNull,
      disk_class: numberOrNull,
    })
    .nullable(),
  power: z.enum(['on', 'off', 'unknown']),
});

const dedicated = z.object({
  id: text,
  configuration: z
    .object({
      cpu_count: numberOrNull,
      cpu: text,
      motherboard: text,
      chassis: text,
      bandwidth: numberOrNull,
      memory: numberOrNull,
      raid_controller: text,
      network_adapter: text,
      disks: text,
    })
    .nullable(),
  traffic: z.object({ limit: z.number(), used: z.number(), range_start: text }).nullable(),
});

const domain = z.object({
  name: text,
  created: textOrNull,
  updated: textOrNull,
  tags: texts,
  entry_set: many(z.object({ id, host: text, type: text, prio: numberOrNull, value: text, ttl: numberOrNull })),
});

const diskClass = z.object({
  id,
  name: text,
  limit_total_mbytes_sec: z.number(),
  limit_read_iops_sec: z.number(),
  limit_write_iops_sec: z.number(),
  price_per_gb: decimal,
  disk_type: text,
  disk_type_display: text,
});
const place = z.object({ value: text, label: text });

const offer = z.object({
  vpsPlans: many(
    z.object({
      id,
      name: text,
      cpu_count: z.number(),
      ram: text,
      disk: text,
      bandwidth: text,
      price: z.number(),
      disk_class: diskClass.nullable(),
    }),
  ),
  dedicatedPlans: many(
    z.object({
      id,
      name: text,
      cpu_model: text,
      cpu_count: numberOrNull,
      ram: text,
      disk: text,
      bandwidth: text,
      price: z.number(),
      locations: many(z.tuple([text, text])),
    }),
  ),
  hostingPlans: many(
    z.object({
      id,
      name: text,
      sites: numberOrNull,
      price: z.number(),
      cpu_cores: numberOrNull,
      hdd_space: numberOrNull,
      available_locations: texts,
    }),
  ),
  backupPlans: many(z.object({ space: z.number(), price: z.number(), units: text })),
  templates: many(
    z.object({
      id,
      name: text,
      os: text,
      panel: textOrNull,
      arch: textOrNull,
      min_storage_space: numberOrNull,
      min_ram_volume: numberOrNull,
      min_cpu_cores: numberOrNull,
    }),
  ),
  apps: many(z.object({ id, name: text, os: text })),
  locations: many(
    place.extend({
      location_os_types: texts,
      bandwidth_tariff: z
        .object({ min_value: decimal, max_value: decimal, step: decimal, price: decimal, unit: text })
        .nullable(),
      disabled_by_slots: z.boolean(),
      disabled_by_cpu_freq: z.boolean(),
      disabled_by_os: z.boolean(),
      disabled_by_cpu_type: z.boolean(),
      available_frequencies: z.record(text, texts),
    }),
  ),
  diskClasses: many(diskClass),
  services: many(z.object({ id, name: text, description: text, price: decimal, billing_type: text })),
  networkLocations: many(z.object({ id, location: place })),
});

export const copySchema = z.object({
  version: z.literal(1),
  /** The time of the copy, in Unix milliseconds. */
  at: z.number(),
  account: z.object({ name: text, balance: z.number(), currency: text }),
  unpaid: z.object({ unpaid_invoices_count: z.number(), unpaid_invoices_amount: z.number() }),
  projects: many(z.object({ id, name: text, comment: text })),
  orders: many(order),
  vps: many(server),
  ds: many(dedicated),
  buckets: many(z.object({ id: text, bucket_name: text, space_used: z.number() })),
  domains: many(domain),
  addresses: many(
    z.object({ ip: text, location: place, rdns: text, order: z.object({ unique_number: text }).nullable() }),
  ),
  networks: many(z.object({ id })),
  snapshots: many(z.object({ id, name: text, size_gb: z.number(), created_at: text })),
  offer,
  /** False: the provider's support has not enabled the creation of servers for this account. */
  mayCreateServers: z.boolean(),
  /** From the bot's database: the last durations of jobs by kind, in milliseconds. */
  jobTimes: z.record(text, z.array(z.number().min(0)).max(50)),
  /** From the bot's database, by channel; the command line checks their contents. */
  policies: z.record(text, z.unknown()),
  plans: z.record(text, z.unknown()),
});
export type AccountCopy = z.infer<typeof copySchema>;

const madeUpAddress = 'someone@example.com';

/** Parses a copy and replaces the e-mail addresses in its texts. Throws a ZodError. */
export function parseCopy(input: unknown): AccountCopy {
  const copy = JSON.stringify(copySchema.parse(input));
  return JSON.parse(copy, (_, value: unknown) => (typeof value === 'string' ? withoutAddresses(value) : value));
}

function withoutAddresses(words: string): string {
  return words.replace(/[^\s:;,<>()"'=!?&]+/g, (word) => (word.slice(1, -1).includes('@') ? madeUpAddress : word));
}
