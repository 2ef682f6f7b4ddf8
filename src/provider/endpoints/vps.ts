import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { givenId, id, orderId, orderPath, text } from './shapes.ts';

const powerStatuses = ['on', 'off', 'unknown'] as const;
export type PowerStatus = (typeof powerStatuses)[number];

/**
 * The relation between `job_state` and `completed` is not documented: `error` may come with `completed` false, and
 * `done` before `completed` turns true. This schema assumes no relation.
 */
const job = z.object({
  pk: givenId,
  action: text,
  note: text,
  user: text,
  time: text,
  completed: z.boolean(),
  /** `ready`, `error` or `done`; with any other value the job has not ended. */
  job_state: z.string(),
  job_action: text,
});
export type Job = z.output<typeof job>;

const powerStatus = z.object({
  // An unknown word means neither on nor off.
  status: z.enum(powerStatuses).catch('unknown'),
});

const passwordReset = z.object({ passwd: z.string(), resp_id: givenId });

const settings = z.object({ private_network_enabled: z.boolean() });

const statFields = ['cpu', 'disk', 'io', 'memory', 'traffic'] as const;

/** A gap in the curve is null, a point without a value, or a value that is not a number. */
const point = z
  .tuple([z.number(), z.unknown()])
  .transform(([atMs, value]) => [atMs, typeof value === 'number' && Number.isFinite(value) ? value : null] as const);

const statistics = z.object({
  series: z.array(
    z.object({
      name: text,
      data: z.array(point.nullable()).transform((points) => points.filter((item) => item !== null)),
    }),
  ),
  subtitle: text,
});

const moment = z
  .string()
  .regex(/^(now|-\d+[hd]|\d{4}-\d{2}-\d{2})$/, 'now, -24h, -7d or YYYY-MM-DD')
  .optional();

export const vps = {
  status: { route: 'GET /vps/{order_id}/status/', input: orderPath, output: powerStatus },
  start: { route: 'POST /vps/{order_id}/start/', input: orderPath, output: job },
  stop: { route: 'POST /vps/{order_id}/stop/', input: orderPath, output: job },
  restart: { route: 'POST /vps/{order_id}/restart/', input: orderPath, output: job },
  rescueMode: { route: 'POST /vps/{order_id}/rescue_mode/', input: orderPath, output: job },
  stopRescueMode: { route: 'POST /vps/{order_id}/stop_rescue_mode/', input: orderPath, output: job },
  hardReset: { route: 'POST /vps/{order_id}/hard_reset/', input: orderPath, output: job },
  passwdReset: {
    route: 'POST /vps/{order_id}/passwd_reset/',
    input: orderPath,
    output: passwordReset,
  },
  logDetails: {
    route: 'GET /vps/{order_id}/log_details/{log_id}/',
    input: z.strictObject({ order_id: orderId, log_id: id }),
    output: job,
  },
  settings: {
    route: 'PATCH /vps/{order_id}/',
    input: z.strictObject({ order_id: orderId, private_network_enabled: z.boolean() }),
    output: settings,
  },
  stats: {
    route: 'GET /vps/{order_id}/stats/{field}/',
    input: z.strictObject({ order_id: orderId, field: z.enum(statFields), start: moment, end: moment }),
    output: statistics,
  },
} as const satisfies Area;
