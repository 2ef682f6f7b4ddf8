import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { order, orderListInput } from './orders.ts';
import {
  architecture,
  architectures,
  decimal,
  decimalOrNull,
  givenId,
  givenOrderId,
  id,
  idOrNull,
  noInput,
  orderId,
  orderPath,
  orElse,
  orNull,
  text,
  textOrNull,
  texts,
} from './shapes.ts';

const configuration = z.object({
  cpu_count: decimalOrNull,
  /** GB, like disk_size. */
  ram_size: decimalOrNull,
  disk_size: decimalOrNull,
  cpu_arch: architecture,
  /** GHz. */
  min_cpu_freq: decimalOrNull,
  disk_class: idOrNull,
});

const vpsOrder = order.extend({
  // An unreadable configuration becomes unknown instead of an error, since it does not identify the server.
  configuration: orNull(configuration).catch(null),
});

export const template = z.object({
  id: givenId,
  name: z.string(),
  os: text,
  /** The control panel in the image; null without one. */
  panel: textOrNull,
  arch: architecture,
  min_storage_space: decimalOrNull,
  min_ram_volume: decimalOrNull,
  min_cpu_cores: decimalOrNull,
});
export type Template = z.output<typeof template>;

export const app = z.object({ id: givenId, name: z.string(), os: text });
export type App = z.output<typeof app>;

export const snapshot = z.object({ id: givenId, name: z.string(), size_gb: decimal, created_at: text });
export type Snapshot = z.output<typeof snapshot>;

const location = z.object({
  value: z.string(),
  label: text,
  location_os_types: texts,
  bandwidth_tariff: orNull(
    z.object({ min_value: decimal, max_value: decimal, step: decimal, price: decimal, unit: text }),
  ),
  /** Changes within minutes, so it only advises. */
  disabled_by_slots: orElse(z.boolean(), true),
  disabled_by_cpu_freq: orElse(z.boolean(), true),
  disabled_by_os: orElse(z.boolean(), false),
  disabled_by_cpu_type: orElse(z.boolean(), false),
  /** GHz by architecture, in the provider's spelling. */
  available_frequencies: orElse(z.record(z.string(), texts), {}),
});
export type VpsLocation = z.output<typeof location>;

export const diskClass = z.object({
  id: givenId,
  name: z.string(),
  limit_total_mbytes_sec: decimal,
  limit_read_iops_sec: decimal,
  limit_write_iops_sec: decimal,
  price_per_gb: decimal,
  disk_type: text,
  disk_type_display: text,
});
export type DiskClass = z.output<typeof diskClass>;

const service = z.object({
  id: givenId,
  name: z.string(),
  description: text,
  price: decimal,
  /** `single` or `periodic`. */
  billing_type: z.string(),
});

const countPresent = (values: readonly unknown[]) =>
  values.filter((value) => value !== undefined && value !== null).length;

const vpsCreation = z
  .strictObject({
    tariff: id.nullish(),
    configuration: z
      .strictObject({
        cpu_count: z.int().min(1).max(16),
        ram_size: z.int().min(2).max(32),
        disk_size: z.int().min(20).max(300),
        cpu_arch: z.enum(architectures).optional(),
        min_cpu_freq: z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]).optional(),
        disk_class: id.nullish(),
      })
      .nullish(),
    template: id.optional(),
    app: id.optional(),
    snapshot: id.optional(),
    location: z.string().min(1),
    term: z.literal([1, 3, 6, 12]).optional(),
    services: z.array(z.strictObject({ service: id, count: z.int().min(1) })).optional(),
    ssh_keys: z.array(id).optional(),
    name: z.string().min(1).max(25).optional(),
    project: id.nullish(),
    disk_class: id.nullish(),
    bandwidth: z.int().nullish(),
    webhook: z.strictObject({ url: z.url().max(512), secret: z.string().min(1).max(64) }).optional(),
    placement_policy: z.enum(['STRICT', 'OPTIONAL']).optional(),
    placement_group: id.nullish(),
    private_network: id.nullish(),
    tags: z.array(z.string().min(1)).optional(),
  })
  .refine((order) => countPresent([order.tariff, order.configuration]) === 1, {
    error: 'exactly one of tariff and configuration selects the hardware',
  })
  .refine((order) => countPresent([order.template, order.app, order.snapshot]) === 1, {
    error: 'exactly one of template, app and snapshot selects the software',
  })
  .refine((order) => countPresent([order.configuration, order.disk_class]) < 2, {
    error: 'with a configuration, disk_class belongs inside it',
    path: ['disk_class'],
  });

export const vpsOrders = {
  list: { route: 'GET /orders/vps/', input: orderListInput, output: vpsOrder, paginated: true },
  read: { route: 'GET /orders/vps/{order_id}/', input: orderPath, output: vpsOrder },
  create: {
    route: 'POST /orders/vps/',
    input: vpsCreation,
    output: z.object({ order_id: givenOrderId }),
  },
  templates: { route: 'GET /orders/vps/templates/', input: noInput, output: template, listed: true },
  apps: { route: 'GET /orders/vps/apps/', input: noInput, output: app, listed: true },
  snapshots: { route: 'GET /orders/vps/snapshots/', input: noInput, output: snapshot, listed: true },
  locations: { route: 'GET /orders/vps/locations/', input: noInput, output: location, listed: true },
  disks: { route: 'GET /orders/vps/disks/', input: noInput, output: diskClass, listed: true },
  services: { route: 'GET /orders/vps/services/', input: noInput, output: service, listed: true },
} as const satisfies Area;

/** The images that fit a server. */
const ofServer = { input: orderPath, paginated: true } as const;

const reinstalled = z.object({ display_name: text, status: text, date: text });

export const reinstall = {
  templates: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/templates/', output: template },
  apps: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/apps/', output: app },
  snapshots: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/snapshots/', output: snapshot },
  run: {
    route: 'POST /vps/{order_id}/reinstall/reinstall/',
    input: z
      .strictObject({ order_id: orderId, template: id.optional(), app: id.nullish(), snapshot: id.nullish() })
      .refine((body) => countPresent([body.template, body.app, body.snapshot]) === 1, {
        error: 'exactly one of template, app and snapshot is installed',
      }),
    output: reinstalled,
  },
} as const satisfies Area;
