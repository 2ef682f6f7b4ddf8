import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { order, orderListInput } from './orders.ts';
import { decimal, orderPath, text } from './shapes.ts';

/**
 * Every answer about a bucket carries its secret key in clear text. This schema does not name it, and what a schema does
 * not name is dropped: nothing behind the client ever holds it.
 */
const bucket = order
  .pick({
    id: true,
    name: true,
    hostname: true,
    cost_month: true,
    expiration_date: true,
    tags: true,
    cancel_mark: true,
    project: true,
  })
  .extend({
    access_key: text,
    bucket_name: text,
    /** Very likely GB; the document's schema says integer, its sample is the text "18". */
    space_used: decimal,
    /** In the sample, not in the schema. */
    status: text,
  });
export type Bucket = z.output<typeof bucket>;

export const s3 = {
  list: { route: 'GET /orders/s3/', effect: 'read', input: orderListInput, output: bucket, paginated: true },
  read: { route: 'GET /orders/s3/{order_id}/', effect: 'read', input: orderPath, output: bucket },
  secretKey: {
    route: 'GET /orders/s3/{order_id}/',
    effect: 'read',
    reveals: true,
    input: orderPath,
    output: z.object({ secret_key: z.string().min(1) }),
  },
  setThreshold: {
    route: 'PUT /orders/s3/{order_id}/notification_threshold/',
    effect: 'write',
    input: z.strictObject({
      // Typed integer by the document, unlike everywhere else.
      order_id: z.int().min(0),
      /** Free space in GB at which the provider warns; 0 is never. */
      space_warning_notify_gb: z.int().min(0),
    }),
    output: z.object({ space_warning_notify_gb: z.number() }),
  },
} as const satisfies Area;
