import { type Account, identityOf, type Order, orderTarget } from '../core/account/account.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import type { AlertObservation, Drift, OurStep } from '../core/alert/alert-rule.ts';
import { hashOf, type Json } from '../core/text/json.ts';
import { day, minute } from '../core/text/words.ts';
import { daysUntil } from '../core/view/days.ts';
import { aboutOrder, defineAlert, inDays, leftAccount, sampleOrder } from './define.ts';

interface Facts {
  /** Orders marked, but not by a request here. */
  readonly marked: readonly Order[];
  /** All orders that the provider lists as marked. */
  readonly ids: ReadonlySet<string>;
  readonly account: Account;
}

export const cancelMark = defineAlert<Facts>({
  name: 'cancel-mark',
  title: 'An order is marked for cancellation',
  many: (n) => `${n} orders are marked for cancellation`,
  reads: 'the orders that the provider lists as to be canceled',
  everyMs: 10 * minute,
  fires: 'an order is marked, and the bot did not mark it',
  clears: 'the mark or the order is gone, a request here set the mark again, or a person says that it is right',
  offers: 'Keep',
  capability: 'read',
  read: async ({ reader, account, once, drift, isWatched }) => {
    const [all, list] = await Promise.all([
      account(),
      // Uses the provider's own filter, since items of its lists may lack the mark.
      once('marked', () => reader.orders.list({ cancel_mark: true })),
    ]);
    const ids = new Set([...list, ...list.unreadable].map(({ id }) => id));
    const { orders } = all;
    const watched = orders.filter((order) => isWatched(orderTarget(order)));
    const seen = watched.map((order) => ({ key: order.id, value: ids.has(order.id), target: orderTarget(order) }));
    const drifts = await drift('cancel', seen, { ours: markAfter, firstUsual: false });
    const isForeign = new Set(drifts.filter((entry: Drift) => entry.value === true).map((entry) => entry.key));
    return {
      account: all,
      ids,
      marked: orders.filter((order) => isForeign.has(order.id) && order.status !== 'canceled'),
    };
  },
  find: ({ marked }, _, now) => marked.map((order) => findingOf(order, now)),
  calm: (cause, { account, ids, marked }, { target }): AlertEnd | undefined => {
    const gone = leftAccount(account, target);
    if (gone !== undefined) return gone;
    if (marked.some(({ id }) => id === cause) || !account.orders.some(({ id }) => id === cause)) return undefined;
    return ids.has(cause) ? { over: `${target.name} is meant to be canceled` } : `${target.name} is kept`;
  },
  sample: (now) => findingOf({ ...sampleOrder, expires: new Date(now + 13.5 * day).toISOString() }, now),
});

/** The expected mark after a step of the bot. While the step is under way, either value is possible. */
function markAfter(usual: Json, { command, isSettled }: OurStep, { value }: AlertObservation): Json {
  const wrote = { cancel: true, keep: false }[command];
  if (wrote === undefined) return usual;
  return isSettled ? wrote : value;
}

function findingOf(order: Order, now: number): Finding {
  const days = daysUntil(order.expires, now);
  return {
    ...aboutOrder(order),
    title: `${order.label} is marked for cancellation`,
    lines: [`${identityOf(order)} · ends ${inDays(days)} · not asked in Slack`],
    severity: 'critical',
    level: 0,
    ...(days === undefined ? {} : { left: days }),
    offers: [{ label: 'Keep', line: `keep ${order.id}` }],
    rightAs: {
      label: 'Canceling is right',
      capability: 'destroy',
      kind: 'cancel',
      key: order.id,
      seen: hashOf(true),
    },
  };
}
