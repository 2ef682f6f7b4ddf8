import { identityOf, type Order, orderTarget } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import { hashOf } from '../core/text/json.ts';
import { day, minute } from '../core/text/words.ts';
import { daysUntil } from '../core/view/days.ts';
import { aboutOrder, afterSteps, defineAlert, endOfChange, inDays, readMarked, sampleOrder } from './define-alert.ts';

export const cancelMark = defineAlert({
  name: 'cancel-mark',
  title: 'An order is marked for cancellation',
  isAboutOrder: true,
  many: (n) => `${n} orders are marked for cancellation`,
  everyMs: 10 * minute,
  fires: 'an order is marked, and the bot did not mark it',
  clears: 'the mark or the order is gone, a request here set the mark again, or a person says that it is right',
  read: async (context) => {
    const [account, list] = await Promise.all([context.account(), readMarked(context)]);
    const marked = new Set([...list, ...list.unreadable].map(({ id }) => id));
    const watched = account.orders.filter((order) => context.isWatched(orderTarget(order)));
    const seen = watched.map((order) => ({ key: order.id, value: marked.has(order.id), target: orderTarget(order) }));
    const drifts = await context.drift('cancel', seen, {
      ours: afterSteps({ cancel: true, keep: false }),
      firstUsual: false,
    });
    return { account, seen, drifts: drifts.filter(({ value }) => value === true) };
  },
  find: ({ account, drifts }, _, now) => {
    const marked = new Set(drifts.map(({ key }) => key));
    const orders = account.orders.filter(({ id, status }) => marked.has(id) && status !== 'canceled');
    return orders.map((order) => findingOf(order, now));
  },
  calm: (_, facts, open) =>
    endOfChange(facts, open, (isMarked) => {
      const { name } = open.target;
      return isMarked === true ? { over: `${name} is meant to be canceled` } : `${name} is kept`;
    }),
  sample: (now) => findingOf({ ...sampleOrder, expires: new Date(now + 13.5 * day).toISOString() }, now),
});

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
    rightAs: { label: 'Canceling is right', capability: 'destroy', kind: 'cancel', key: order.id, seen: hashOf(true) },
  };
}
