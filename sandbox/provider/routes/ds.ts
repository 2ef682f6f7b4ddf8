import { ok } from '../answer.ts';
import { trafficBetween } from '../curves.ts';
import { dayMs } from '../numbers.ts';
import { presentDsOrder } from '../present.ts';
import { defineRoute } from '../router.ts';
import { addMonths } from '../time.ts';
import { choice, integer, validate, withDefault } from '../validate.ts';
import { findDs, integerIn } from './find.ts';
import { listOrders } from './order-list.ts';

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const dsRoutes = [
  defineRoute('GET /orders/ds/', (call) =>
    listOrders(call, 'ds', (order) => presentDsOrder(call.provider, order, call.origin)),
  ),
  defineRoute('GET /orders/ds/{order_id}/', ({ provider, params, origin }) =>
    ok(presentDsOrder(provider, findDs(provider, params.order_id), origin)),
  ),
  defineRoute('GET /orders/ds/{order_id}/traffic/', ({ provider, params, query }) => {
    const order = findDs(provider, params.order_id);
    const { period, port } = validate(Object.fromEntries(query), {
      period: withDefault(choice(['month', 'year']), 'month'),
      port: withDefault(integer({ min: 0 }), 0),
    });
    const starts = (period === 'month' ? lastDays : lastMonths)(provider.clock.now());
    const data = starts.map((start, index) => [
      dateOf(start),
      trafficBetween(order, port, start, starts[index + 1] ?? provider.clock.now()),
    ]);
    return ok({ data, order: order.id, period });
  }),
  // Only this route requires the bare number: 1000101, not 34-1000101.
  defineRoute('GET /orders/ds/{order_id}/traffic_used/', ({ provider, params }) => {
    const order = findDs(provider, `34-${integerIn(params.order_id)}`);
    const now = provider.clock.now();
    let end = order.expiresAt ?? now;
    while (end < now) end = addMonths(end, 1);
    while (addMonths(end, -1) > now) end = addMonths(end, -1);
    const start = addMonths(end, -1);
    const { input, output } = trafficBetween(order, 0, start, now);
    // Half a byte, since counters may be floats.
    const used = input + output + 0.5;
    const limit = order.ds.trafficLimitBytes;
    return ok({
      order: order.id,
      limit,
      range_start: dateOf(start),
      range_end: dateOf(end),
      used,
      used_rate: Math.round((used / limit) * 10_000) / 10_000,
    });
  }),
];

function lastDays(now: number): number[] {
  const today = Math.floor(now / dayMs) * dayMs;
  return Array.from({ length: 30 }, (_, index) => today - (29 - index) * dayMs);
}

function lastMonths(now: number): number[] {
  const date = new Date(now);
  return Array.from({ length: 12 }, (_, index) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11 + index, 1));
}
