import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { order, orderListInput } from './orders.ts';
import * as shape from './shapes.ts';

const configuration = z.object({
  cpu_count: shape.decimalOrNull,
  /** GB, like disk_size. */
  ram_size: shape.decimalOrNull,
  disk_size: shape.decimalOrNull,
  cpu_arch: shape.architecture,
  /** GHz. */
  min_cpu_freq: shape.decimalOrNull,
  disk_class: shape.idOrNull,
});

const vpsOrder = order.extend({
  // An unreadable configuration becomes unknown instead of an error, since it does not identify the server.
  configuration: shape.orNull(configuration).catch(null),
});

export const template = z.object({
  id: shape.givenId,
  name: z.string(),
  os: shape.text,
  /** The control panel in the image; null without one. */
  panel: shape.textOrNull,
  arch: shape.architecture,
  min_storage_space: shape.decimalOrNull,
  min_ram_volume: shape.decimalOrNull,
  min_cpu_cores: shape.decimalOrNull,
});
export type Template = z.output<typeof template>;

export const app = z.object({ id: shape.givenId, name: z.string(), os: shape.text });
export type App = z.output<typeof app>;

export const snapshot = z.object({
  id: shape.givenId,
  name: z.string(),
  size_gb: shape.decimal,
  created_at: shape.text,
});
export type Snapshot = z.output<typeof snapshot>;

const location = z.object({
  value: z.string(),
  label: shape.text,
  location_os_types: shape.texts,
  bandwidth_tariff: shape.orNull(
    z.object({
      min_value: shape.decimal,
      max_value: shape.decimal,
      step: shape.decimal,
      price: shape.decimal,
      unit: shape.text,
    }),
  ),
  /** Changes within minutes, so it only advises. */
  disabled_by_slots: shape.orElse(z.boolean(), true),
  disabled_by_cpu_freq: shape.orElse(z.boolean(), true),
  disabled_by_os: shape.orElse(z.boolean(), false),
  disabled_by_cpu_type: shape.orElse(z.boolean(), false),
  /** GHz by architecture, in the provider's spelling. */
  available_frequencies: shape.orElse(z.record(z.string(), shape.texts), {}),
});
export type VpsLocation = z.output<typeof location>;

export const diskClass = z.object({
  id: shape.givenId,
  name: z.string(),
  limit_total_mbytes_sec: shape.decimal,
  limit_read_iops_sec: shape.decimal,
  limit_write_iops_sec: shape.decimal,
  price_per_gb: shape.decimal,
  disk_type: shape.text,
  disk_type_display: shape.text,
});
export type DiskClass = z.output<typeof diskClass>;

const service = z.object({
  id: shape.givenId,
  name: z.string(),
  description: shape.text,
  price: shape.decimal,
  /** `single` or `periodic`. */
  billing_type: z.string(),
});

const countPresent = (values: readonly unknown[]) =>
  values.filter((value) => value !== undefined && value !== null).length;

const vpsCreation = z
  .strictObject({
    tariff: shape.id.nullish(),
    configuration: z
      .strictObject({
        cpu_count: z.int().min(1).max(16),
        ram_size: z.int().min(2).max(32),
        disk_size: z.int().min(20).max(300),
        cpu_arch: z.enum(shape.architectures).optional(),
        min_cpu_freq: z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]).optional(),
        disk_class: shape.id.nullish(),
      })
      .nullish(),
    template: shape.id.optional(),
    app: shape.id.optional(),
    snapshot: shape.id.optional(),
    location: z.string().min(1),
    term: z.literal([1, 3, 6, 12]).optional(),
    services: z.array(z.strictObject({ service: shape.id, count: z.int().min(1) })).optional(),
    ssh_keys: z.array(shape.id).optional(),
    name: z.string().min(1).max(25).optional(),
    project: shape.id.nullish(),
    disk_class: shape.id.nullish(),
    bandwidth: z.int().nullish(),
    webhook: z.strictObject({ url: z.url().max(512), secret: z.string().min(1).max(64) }).optional(),
    placement_policy: z.enum(['STRICT', 'OPTIONAL']).optional(),
    placement_group: shape.id.nullish(),
    private_network: shape.id.nullish(),
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
  read: { route: 'GET /orders/vps/{order_id}/', input: shape.orderPath, output: vpsOrder },
  create: { route: 'POST /orders/vps/', input: vpsCreation, output: z.object({ order_id: shape.givenOrderId }) },
  templates: { route: 'GET /orders/vps/templates/', input: shape.noInput, output: template, listed: true },
  apps: { route: 'GET /orders/vps/apps/', input: shape.noInput, output: app, listed: true },
  snapshots: { route: 'GET /orders/vps/snapshots/', input: shape.noInput, output: snapshot, listed: true },
  locations: { route: 'GET /orders/vps/locations/', input: shape.noInput, output: location, listed: true },
  disks: { route: 'GET /orders/vps/disks/', input: shape.noInput, output: diskClass, listed: true },
  services: { route: 'GET /orders/vps/services/', input: shape.noInput, output: service, listed: true },
} as const satisfies Area;

/** The images that fit a server. */
const ofServer = { input: shape.orderPath, paginated: true } as const;

const reinstalled = z.object({ display_name: shape.text, status: shape.text, date: shape.text });

export const reinstall = {
  templates: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/templates/', output: template },
  apps: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/apps/', output: app },
  snapshots: { ...ofServer, route: 'GET /vps/{order_id}/reinstall/snapshots/', output: snapshot },
  run: {
    route: 'POST /vps/{order_id}/reinstall/reinstall/',
    input: z
      .strictObject({
        order_id: shape.orderId,
        template: shape.id.optional(),
        app: shape.id.nullish(),
        snapshot: shape.id.nullish(),
      })
      .refine((body) => countPresent([body.template, body.app, body.snapshot]) === 1, {
        error: 'exactly one of template, app and snapshot is installed',
      }),
    output: reinstalled,
  },
} as const satisfies Area;

const powerStatuses = ['on', 'off', 'unknown'] as const;
export type PowerStatus = (typeof powerStatuses)[number];

/**
 * The relation between `job_state` and `completed` is not documented: `error` may come with `completed` false, and
 * `done` before `completed` turns true. This schema assumes no relation.
 */
const job = z.object({
  pk: shape.givenId,
  action: shape.text,
  note: shape.text,
  user: shape.text,
  time: shape.text,
  completed: z.boolean(),
  /** `ready`, `error` or `done`; with any other value the job has not ended. */
  job_state: z.string(),
  job_action: shape.text,
});
export type Job = z.output<typeof job>;

const powerStatus = z.object({
  // An unknown word means neither on nor off.
  status: z.enum(powerStatuses).catch('unknown'),
});

const passwordReset = z.object({ passwd: z.string(), resp_id: shape.givenId });

const settings = z.object({ private_network_enabled: z.boolean() });

const statFields = ['cpu', 'disk', 'io', 'memory', 'traffic'] as const;

/** A gap in the curve is null, a point without a value, or a value that is not a number. */
const point = z
  .tuple([z.number(), z.unknown()])
  .transform(([atMs, value]) => [atMs, typeof value === 'number' && Number.isFinite(value) ? value : null] as const);

const statistics = z.object({
  series: z.array(
    z.object({
      name: shape.text,
      data: z.array(point.nullable()).transform((points) => points.filter((item) => item !== null)),
    }),
  ),
  subtitle: shape.text,
});

const moment = z
  .string()
  .regex(/^(now|-\d+[hd]|\d{4}-\d{2}-\d{2})$/, 'now, -24h, -7d or YYYY-MM-DD')
  .optional();

export const vps = {
  status: { route: 'GET /vps/{order_id}/status/', input: shape.orderPath, output: powerStatus },
  start: { route: 'POST /vps/{order_id}/start/', input: shape.orderPath, output: job },
  stop: { route: 'POST /vps/{order_id}/stop/', input: shape.orderPath, output: job },
  restart: { route: 'POST /vps/{order_id}/restart/', input: shape.orderPath, output: job },
  rescueMode: { route: 'POST /vps/{order_id}/rescue_mode/', input: shape.orderPath, output: job },
  stopRescueMode: { route: 'POST /vps/{order_id}/stop_rescue_mode/', input: shape.orderPath, output: job },
  hardReset: { route: 'POST /vps/{order_id}/hard_reset/', input: shape.orderPath, output: job },
  passwdReset: { route: 'POST /vps/{order_id}/passwd_reset/', input: shape.orderPath, output: passwordReset },
  logDetails: {
    route: 'GET /vps/{order_id}/log_details/{log_id}/',
    input: z.strictObject({ order_id: shape.orderId, log_id: shape.id }),
    output: job,
  },
  settings: {
    route: 'PATCH /vps/{order_id}/',
    input: z.strictObject({ order_id: shape.orderId, private_network_enabled: z.boolean() }),
    output: settings,
  },
  stats: {
    route: 'GET /vps/{order_id}/stats/{field}/',
    input: z.strictObject({ order_id: shape.orderId, field: z.enum(statFields), start: moment, end: moment }),
    output: statistics,
  },
} as const satisfies Area;

const backupPlan = z.object({
  space: shape.decimal,
  price: shape.decimal,
  units: shape.text.transform((value) => (value === '' ? 'GB' : value)),
});

const dedicatedPlan = z.object({
  id: shape.givenId,
  name: z.string(),
  cpu_model: shape.text,
  cpu_count: shape.decimalOrNull,
  ram: shape.text,
  disk: shape.text,
  bandwidth: shape.text,
  price: shape.decimal,
  /** Pairs of location code and display name. */
  locations: z.array(z.tuple([z.string(), z.string()])),
});

const hostingPlan = z.object({
  id: shape.givenId,
  name: z.string(),
  sites: shape.decimalOrNull,
  price: shape.decimal,
  cpu_cores: shape.decimalOrNull,
  /** GB. */
  hdd_space: shape.decimalOrNull,
  available_locations: shape.texts,
});

const vpsPlan = z.object({
  id: shape.givenId,
  name: z.string(),
  cpu_count: shape.decimal,
  ram: shape.text,
  disk: shape.text,
  bandwidth: shape.text,
  price: shape.decimal,
  disk_class: shape.orNull(diskClass),
});

export type VpsPlan = z.output<typeof vpsPlan>;

export const plans = {
  backups: { route: 'GET /plans/backups', input: shape.noInput, output: backupPlan, listed: true },
  dedicated: { route: 'GET /plans/dedicated', input: shape.noInput, output: dedicatedPlan, listed: true },
  hosting: { route: 'GET /plans/hosting', input: shape.noInput, output: hostingPlan, listed: true },
  vps: { route: 'GET /plans/vps', input: shape.noInput, output: vpsPlan, listed: true },
} as const satisfies Area;
