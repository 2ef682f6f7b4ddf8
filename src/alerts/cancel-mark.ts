import { identityOf, type Order, orderTarget } from '../core/account.ts';
import type { AlertObservation, Drift, Finding, OurStep } from '../core/alert.ts';
import type { Json } from '../core/json.ts';
import { daysUntil } from '../core/time.ts';
import { day, minute } from '../core/words.ts';
import { defineAlert } from './define.ts';
import { aboutOrder, inDays, sampleOrder } from './words.ts';

interface Facts {
  readonly marked: readonly Order[];
  readonly orders: readonly Order[];
}

export const cancelMark = defineAlert<Facts>({
  name: 'cancel-mark',
  title: 'An order is marked for cancellation',
  many: (n) => `${n} orders are marked for cancellation`,
  reads: 'the orders that the provider lists as to be canceled',
  everyMs: 10 * minute,
  fires: 'an order is marked, and the bot did not mark it',
  clears: 'the mark or the order is gone, or the bot set the mark again',
  offers: 'Keep',
  capability: 'read',
  look: async ({ reader, account, once, drift, isWatched }) => {
    const [{ orders }, list] = await Promise.all([
      account(),
      // Asked with the provider's own filter: items of its lists may leave the mark out.
      once('marked', () => reader.orders.list({ cancel_mark: true })),
    ]);
    const ids = new Set(list.map((order) => order.id));
    const watched = orders.filter((order) => isWatched(orderTarget(order)));
    const seen = watched.map((order) => ({ key: order.id, value: ids.has(order.id), target: orderTarget(order) }));
    const drifts = await drift('cancel', seen, { ours: markAfter, firstUsual: false });
    const isForeign = new Set(drifts.filter((one: Drift) => one.value === true).map((one) => one.key));
    return { orders, marked: orders.filter((order) => isForeign.has(order.id) && order.status !== 'canceled') };
  },
  find: ({ marked }, _, now) => marked.map((order) => found(order, now)),
  calm: (cause, { orders }) => {
    const order = orders.find((known) => known.id === cause);
    return order === undefined || order.status === 'canceled'
      ? `${order?.label ?? cause} was canceled`
      : `${order.label} is kept`;
  },
  sample: (now) => found({ ...sampleOrder, expires: new Date(now + 13.5 * day).toISOString() }, now),
});

/** After a step of ours that sets or removes the mark; no other command explains it. */
function markAfter(usual: Json, { command, isSettled }: OurStep, { value }: AlertObservation): Json {
  const wrote = { cancel: true, keep: false }[command];
  if (wrote === undefined) return usual;
  return isSettled ? wrote : value;
}

function found(order: Order, now: number): Finding {
  return {
    ...aboutOrder(order),
    title: `${order.label} is marked for cancellation`,
    lines: [`${identityOf(order)} · ends ${inDays(daysUntil(order.expires, now))} · not requested here`],
    severity: 'critical',
    level: 0,
    offers: [{ label: 'Keep', line: `keep ${order.id}` }],
  };
}
