import { type Account, identityOf, type Order } from '../core/account/account.ts';
import { isInUse } from '../core/account/trouble.ts';
import type { Finding } from '../core/alert/alert.ts';
import { minute } from '../core/text/words.ts';
import { aboutTerm, defineAlert, leftAccount, sampleOrder } from './define-alert.ts';

const bad: Readonly<Record<string, readonly [level: number, means: string]>> = {
  expired: [0, 'it was not paid in time; the provider disables it next'],
  disabled: [1, 'the provider has turned it off; it is removed unless it is paid'],
  blocked: [1, 'the provider has blocked it; only their support can say why'],
};

export const orderStatus = defineAlert<Account>({
  name: 'order-status',
  title: 'An order is blocked, disabled or expired',
  isAboutOrder: true,
  many: (n) => `${n} orders are blocked, disabled or expired`,
  everyMs: 5 * minute,
  fires: 'an order is blocked, disabled or expired',
  clears: 'it is active again, or gone',
  read: ({ account }) => account(),
  find: ({ orders }) =>
    orders.flatMap((order) => {
      const is = bad[order.status];
      return is === undefined ? [] : [findingOf(order, ...is)];
    }),
  calm: (cause, account, { target }) => {
    const order = account.orders.find((order) => order.id === cause);
    // A status unknown to the bot may not be good.
    if (order !== undefined && isInUse(order)) return `${order.label} is ${order.status}`;
    return leftAccount(account, target);
  },
  sample: () => findingOf({ ...sampleOrder, status: 'blocked' }, 1, 'a sample'),
});

function findingOf(order: Order, level: number, means: string): Finding {
  return {
    ...aboutTerm(order),
    title: `${order.label} is ${order.status}`,
    lines: [identityOf(order), means],
    severity: 'critical',
    level,
  };
}
