import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import * as shape from './shapes.ts';

export const project = z.object({ id: shape.givenId, name: shape.text, comment: shape.text, logo: shape.textOrNull });

const name = z.string().min(1).max(40);
const comment = z.string().max(256);
const membersInput = z.strictObject({ id: shape.id, orders: z.array(shape.orderId) });
const logo = z.object({
  name: z.string().min(1).max(255),
  type: z.string().regex(/^image\/[\w.+-]+$/, 'an image type'),
  bytes: z.instanceof(Uint8Array),
});

export const projects = {
  list: { route: 'GET /project/', input: shape.noInput, output: project, paginated: true },
  create: {
    route: 'POST /project/',
    input: z.strictObject({ name, comment: comment.optional() }),
    output: project,
  },
  read: { route: 'GET /project/{id}/', input: shape.idPath, output: project },
  update: {
    route: 'PATCH /project/{id}/',
    input: z.strictObject({ id: shape.id, name: name.optional(), comment: comment.optional() }),
    output: project,
  },
  delete: { route: 'DELETE /project/{id}/', input: shape.idPath, output: shape.nothing },
  addOrders: { route: 'POST /project/{id}/add_orders/', input: membersInput, output: shape.nothing },
  removeOrders: { route: 'POST /project/{id}/remove_orders/', input: membersInput, output: shape.nothing },
  editLogo: {
    route: 'PUT /project/{id}/edit_logo/',
    input: z.strictObject({ id: shape.id, logo }),
    output: z.object({ logo: shape.textOrNull }),
    sends: 'multipart',
  },
} as const satisfies Area;

export const order = z.object({
  id: shape.givenOrderId,
  /** '' if the order has no name. */
  name: shape.text,
  tariff: shape.text,
  tariff_price: shape.decimalOrNull,
  type: shape.text,
  hostname: shape.textOrNull,
  ipaddress_set: shape.texts,
  /** The document names eight statuses. An unknown status is shown unchanged, instead of making the list unreadable. */
  status: shape.text.transform((status) => (status === '' ? 'unknown' : status)),
  /** Null if absent: the cost is then unknown, not zero. */
  cost_month: shape.decimalOrNull,
  /** The provider's text: without a zone, with Z, or with an offset. */
  expiration_date: shape.textOrNull,
  tags: shape.texts,
  /** Null if absent, as in items of lists: then unknown, not "not marked". */
  cancel_mark: shape.flagOrNull,
  /** Null without a project; items of lists may omit it too. */
  project: shape.orNull(z.union([project, z.literal('').transform(() => null)])),
});
export type ProviderOrder = z.output<typeof order>;

const editedOrder = z.object({ name: shape.text, tags: shape.texts, project: shape.idOrNull });

const canceled = z.object({ status: shape.text, message: shape.text });

export const orderListInput = z.strictObject({ cancel_mark: z.boolean().optional() });

export const orders = {
  list: { route: 'GET /orders/', input: orderListInput, output: order, paginated: true },
  read: { route: 'GET /orders/{order_id}/', input: shape.orderPath, output: order },
  update: {
    route: 'PATCH /orders/{order_id}/',
    input: z.strictObject({
      order_id: shape.orderId,
      // By the document's text '' clears the name, but its schema requires one character. The provider decides.
      name: z.string().max(64).optional(),
      tags: z.array(z.string().min(1)).optional(),
      project: shape.id.nullable().optional(),
    }),
    output: editedOrder,
  },
  cancel: {
    route: 'POST /orders/{order_id}/cancel/',
    input: z.strictObject({
      order_id: shape.orderId,
      when: z.enum(['now', 'expired']).optional(),
      save_backup: z.boolean().optional(),
    }),
    output: canceled,
  },
  keep: { route: 'DELETE /orders/{order_id}/cancel/', input: shape.orderPath, output: shape.nothing },
} as const satisfies Area;

const configuration = z.object({
  cpu_count: shape.decimalOrNull,
  cpu: shape.text,
  motherboard: shape.text,
  chassis: shape.text,
  bandwidth: shape.decimalOrNull,
  memory: shape.decimalOrNull,
  raid_controller: shape.text,
  network_adapter: shape.text,
  disks: shape.text,
});

const dsOrder = order.extend({
  configuration: shape.orNull(configuration).catch(null),
});

const traffic = z.object({
  /** Pairs of a day and its bytes in and out. */
  data: z.array(z.tuple([z.string(), z.object({ input: shape.decimal, output: shape.decimal })])),
});

const trafficLimits = z.object({
  /** Very likely bytes, like `used`; both may be floats. */
  limit: shape.decimal,
  range_start: z.string(),
  range_end: z.string(),
  used: shape.decimal,
  /** The used share of the limit: 0.5 is half. */
  used_rate: shape.decimal,
});
export type TrafficLimits = z.output<typeof trafficLimits>;

export const ds = {
  list: { route: 'GET /orders/ds/', input: orderListInput, output: dsOrder, paginated: true },
  read: { route: 'GET /orders/ds/{order_id}/', input: shape.orderPath, output: dsOrder },
  traffic: {
    route: 'GET /orders/ds/{order_id}/traffic/',
    input: z.strictObject({
      order_id: shape.orderId,
      period: z.enum(['month', 'year']).optional(),
      port: z.int().min(0).optional(),
    }),
    output: traffic,
  },
  trafficUsed: {
    route: 'GET /orders/ds/{order_id}/traffic_used/',
    input: z.strictObject({ order_id: z.int().min(0) }),
    output: trafficLimits,
  },
} as const satisfies Area;

/**
 * Every response about a bucket contains its secret key in clear text. This schema does not name the key, and parsing
 * drops unnamed fields, so no code past the client ever sees it.
 */
const bucket = order.omit({ tariff: true, tariff_price: true, type: true, ipaddress_set: true }).extend({
  access_key: shape.text,
  bucket_name: shape.text,
  /** Very likely GB; the document's schema says integer, its sample is the text "18". */
  space_used: shape.decimal,
  /** The document's sample has it, its schema does not. */
  status: shape.text,
});
export type Bucket = z.output<typeof bucket>;

export const s3 = {
  list: { route: 'GET /orders/s3/', input: orderListInput, output: bucket, paginated: true },
  read: { route: 'GET /orders/s3/{order_id}/', input: shape.orderPath, output: bucket },
  secretKey: {
    route: 'GET /orders/s3/{order_id}/',
    reveals: true,
    input: shape.orderPath,
    output: z.object({ secret_key: z.string().min(1) }),
  },
  setThreshold: {
    route: 'PUT /orders/s3/{order_id}/notification_threshold/',
    input: z.strictObject({
      // The document types it as an integer here only.
      order_id: z.int().min(0),
      /** The free space in GB at which the provider warns; 0 turns the warning off. */
      space_warning_notify_gb: z.int().min(0),
    }),
    output: z.object({ space_warning_notify_gb: z.number() }),
  },
} as const satisfies Area;
