import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { order, orderListInput } from './orders.ts';
import { decimal, decimalOrNull, orderId, orderPath, orNull, text } from './shapes.ts';

const configuration = z.object({
  cpu_count: decimalOrNull,
  cpu: text,
  motherboard: text,
  chassis: text,
  bandwidth: decimalOrNull,
  memory: decimalOrNull,
  raid_controller: text,
  network_adapter: text,
  disks: text,
});

const dsOrder = order.extend({
  configuration: orNull(configuration).catch(null),
});

const traffic = z.object({
  /** Pairs of a day and its bytes in and out. */
  data: z.array(z.tuple([z.string(), z.object({ input: decimal, output: decimal })])),
});

const trafficLimits = z.object({
  /** Very likely bytes, like `used`; both may be floats. */
  limit: decimal,
  range_start: z.string(),
  range_end: z.string(),
  used: decimal,
  /** The used share of the limit: 0.5 is half. */
  used_rate: decimal,
});
export type TrafficLimits = z.output<typeof trafficLimits>;

export const ds = {
  list: { route: 'GET /orders/ds/', input: orderListInput, output: dsOrder, paginated: true },
  read: { route: 'GET /orders/ds/{order_id}/', input: orderPath, output: dsOrder },
  traffic: {
    route: 'GET /orders/ds/{order_id}/traffic/',
    input: z.strictObject({
      order_id: orderId,
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
