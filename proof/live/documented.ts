import type { EndpointRoute } from '../../src/provider/endpoint.ts';
import type { AnswerShape } from './shape.ts';

/**
 * The responses to reads as the provider's document (OpenAPI, version 2.3.28) describes them, copied from its tables by
 * hand. Where its samples contradict its schemas, both forms are listed. Nothing comes from the client's schemas or
 * from the simulated provider, which a test compares with this table.
 */

type Part = string | AnswerShape;

const shape = (part: Part): AnswerShape => (typeof part === 'string' ? { '': part } : part);

function under(name: string, part: Part): [string, string][] {
  return Object.entries(shape(part)).map(([path, types]) => [
    path === '' || path.startsWith('[') ? name + path : `${name}.${path}`,
    types,
  ]);
}

function object(fields: Readonly<Record<string, Part>>): AnswerShape {
  return { '': 'object', ...Object.fromEntries(Object.entries(fields).flatMap(([name, part]) => under(name, part))) };
}

const list = (item: Part): AnswerShape => ({ '': 'array', ...Object.fromEntries(under('[]', item)) });
const or = (type: string) => (part: Part) => ({ ...shape(part), '': `${shape(part)['']} | ${type}` });
const orNull = or('null');
/** A field that the document does not require. */
const maybe = or('missing');

const page = (item: Part): AnswerShape =>
  object({ count: 'number', next: maybe('string | null'), previous: maybe('string | null'), results: list(item) });

const project = object({ id: 'number', name: 'string', comment: maybe('string'), logo: 'string' });
const place = object({ value: 'string', label: 'string', icon: 'string' });

const order = {
  id: 'string',
  name: maybe('string'),
  tariff: 'string',
  tariff_price: 'number | null',
  type: 'string',
  hostname: 'string | null',
  ipaddress_set: orNull(list('string')),
  status: 'string',
  cost_month: 'number',
  expiration_date: 'string',
  tags: list('string'),
  cancel_mark: 'boolean',
  project: orNull(project),
};
const vps = {
  ...order,
  configuration: object({
    cpu_count: maybe('number'),
    ram_size: maybe('number'),
    disk_size: maybe('number'),
    cpu_arch: maybe('string'),
    min_cpu_freq: maybe('number | string'),
    disk_class: maybe('number | null'),
  }),
};
const ds = {
  ...order,
  configuration: object({
    cpu_count: maybe('number'),
    cpu: 'string',
    motherboard: 'string',
    chassis: 'string',
    raid_controller: 'string',
    network_adapter: 'string',
    disks: 'string',
    bandwidth: maybe('number | null'),
    memory: 'number',
  }),
};
const storage = object({
  id: 'string',
  name: 'string',
  hostname: 'string',
  access_key: 'string',
  secret_key: 'string',
  bucket_name: 'string',
  space_used: 'number | string',
  cost_month: 'number',
  expiration_date: 'string',
  tags: list('string'),
  cancel_mark: maybe('boolean'),
  project: maybe(orNull(project)),
  status: maybe('string'),
});

/** Items of a list may lack fields of the single order. */
const listed = (fields: typeof order): AnswerShape =>
  page(object({ ...fields, cancel_mark: maybe('boolean'), project: maybe(orNull(project)) }));

const template = object({
  id: 'number',
  name: 'string',
  os: 'string',
  panel: maybe('string | null'),
  arch: maybe('string'),
  min_storage_space: maybe('number | null'),
  min_ram_volume: maybe('number | null'),
  min_cpu_cores: maybe('number | null'),
});
const app = object({ id: 'number', name: 'string', os: 'string' });
const snapshot = object({ id: 'number', name: 'string', size_gb: 'number', created_at: 'string' });
const disk = object({
  id: 'number',
  name: 'string',
  limit_total_mbytes_sec: 'number',
  limit_read_iops_sec: 'number',
  limit_write_iops_sec: 'number',
  price_per_gb: 'string',
  disk_type: maybe('string'),
  disk_type_display: 'string',
});
const location = object({
  value: 'string',
  label: 'string',
  location_os_types: list('string'),
  bandwidth_tariff: orNull(
    object({ min_value: 'string', max_value: 'string', step: 'string', price: 'string', unit: maybe('string') }),
  ),
  disabled_by_slots: maybe('boolean'),
  disabled_by_cpu_freq: maybe('boolean'),
  disabled_by_os: maybe('boolean'),
  disabled_by_cpu_type: maybe('boolean'),
  available_frequencies: object({ x86_64: maybe(list('string')), arm: maybe(list('string')) }),
});
const dnsRecord = object({
  id: 'number',
  host: maybe('string'),
  type: 'string',
  prio: maybe('number | null'),
  value: 'string',
  ttl: maybe('number | null'),
});
const key = object({
  id: 'number',
  // The schema requires it, but no sample has it.
  user: maybe('string'),
  key: 'string',
  title: 'string',
  date: 'string',
  default: maybe('boolean'),
});

export const documented: Readonly<Partial<Record<EndpointRoute, AnswerShape>>> = {
  'GET /account/balance': object({ balance: 'number', currency: 'string' }),
  'GET /account/info': object({ email: 'string', name: 'string' }),
  'GET /account/invoices': object({
    unpaid_invoices_count: 'number',
    unpaid_invoices_amount: 'number',
    currency: 'string',
  }),
  'GET /plans/backups': list(object({ space: 'number', price: 'number', units: 'string' })),
  'GET /plans/dedicated': list(
    object({
      id: 'number',
      name: 'string',
      cpu_model: 'string',
      cpu_count: maybe('number'),
      ram: 'string',
      disk: 'string',
      bandwidth: 'string',
      price: 'number',
      locations: list(list('string')),
    }),
  ),
  'GET /plans/hosting': list(
    object({
      id: 'number',
      name: 'string',
      sites: maybe('number | null'),
      price: 'number',
      cpu_cores: maybe('number | null'),
      hdd_space: maybe('number | null'),
      available_locations: list('string'),
    }),
  ),
  'GET /plans/vps': list(
    object({
      id: 'number',
      name: 'string',
      cpu_count: 'number',
      ram: 'string',
      disk: 'string',
      bandwidth: 'string',
      price: 'number',
      disk_class: orNull(disk),
    }),
  ),
  'GET /project/': page(project),
  'GET /project/{id}/': project,
  'GET /orders/': listed(order),
  'GET /orders/{order_id}/': object(order),
  'GET /orders/vps/': listed(vps),
  'GET /orders/vps/{order_id}/': object(vps),
  'GET /orders/vps/templates/': list(template),
  'GET /orders/vps/apps/': list(app),
  'GET /orders/vps/snapshots/': list(snapshot),
  'GET /orders/vps/locations/': list(location),
  'GET /orders/vps/disks/': list(disk),
  'GET /orders/vps/services/': list(
    object({ id: 'number', name: 'string', description: maybe('string'), price: 'string', billing_type: 'string' }),
  ),
  'GET /vps/{order_id}/reinstall/templates/': page(template),
  'GET /vps/{order_id}/reinstall/apps/': page(app),
  'GET /vps/{order_id}/reinstall/snapshots/': page(snapshot),
  'GET /vps/{order_id}/status/': object({ status: 'string' }),
  'GET /vps/{order_id}/ssh_keys/': list(key),
  'GET /private-network/': page(object({ id: 'number' })),
  'GET /private-network/locations/': page(object({ id: 'number', location: place })),
  'GET /orders/ds/': listed(ds),
  'GET /orders/ds/{order_id}/': object(ds),
  'GET /orders/ds/{order_id}/traffic/': object({
    // Each item is a pair of a date and an object.
    data: list(list({ '': 'string | object', input: 'number', output: 'number' })),
    order: 'string',
    period: 'string',
  }),
  'GET /orders/ds/{order_id}/traffic_used/': object({
    order: 'string',
    limit: 'number',
    range_start: 'string',
    range_end: 'string',
    used: 'number',
    used_rate: 'number',
  }),
  'GET /dns/domain/': page(
    object({ name: 'string', created: 'string', updated: 'string', entry_set: list(dnsRecord), tags: list('string') }),
  ),
  'GET /dns/domain/{name}/entry_set/': list(dnsRecord),
  'GET /ssh_keys/': list(key),
  'GET /network/ip-address/': list(
    object({
      id: 'number',
      ip: 'string',
      location: place,
      rdns: 'string',
      order: orNull(object({ id: 'number', name: 'string', type: 'string', link: 'string', unique_number: 'string' })),
    }),
  ),
  'GET /orders/s3/': page(storage),
  'GET /orders/s3/{order_id}/': storage,
  'GET /tickets/webhook_info/': object({
    // Without a webhook the URL may be empty, null or missing.
    url: maybe('string | null'),
    last_error_date: 'string | null',
    last_error_message: 'string | null',
  }),
};
