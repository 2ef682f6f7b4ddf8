import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { order, orderListInput } from './orders.ts';
import { decimal, orderPath, text } from './shapes.ts';

/**
 * Every response about a bucket contains its secret key in clear text. This schema does not name the key, and parsing
 * drops unnamed fields, so no code past the client ever sees it.
 */
const bucket = order.omit({ tariff: true, tariff_price: true, type: true, ipaddress_set: true }).extend({
  access_key: text,
  bucket_name: text,
  /** Very likely GB; the document's schema says integer, its sample is the text "18". */
  space_used: decimal,
  /** The document's sample has it, its schema does not. */
  status: text,
});
export type Bucket = z.output<typeof bucket>;

export const s3 = {
  list: { route: 'GET /orders/s3/', input: orderListInput, output: bucket, paginated: true },
  read: { route: 'GET /orders/s3/{order_id}/', input: orderPath, output: bucket },
  secretKey: {
    route: 'GET /orders/s3/{order_id}/',
    reveals: true,
    input: orderPath,
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
