import { type Account, type Order, orderTarget, type Target } from '../core/account/account.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import type { AlertDefinition, AlertRule } from '../core/alert/alert-rule.ts';
import { count } from '../core/text/words.ts';
import type { Severity } from '../core/view/severity.ts';
import type { Reader } from '../provider/client.ts';

/** Defines an alert rule, which only reads. Hides the type of its facts, so that one list holds all rules. */
export function defineAlert<F>(definition: AlertDefinition<F, Reader>): AlertRule<Reader> {
  const { read, find, calm, ...common } = definition;
  return {
    ...common,
    read: async (context) => {
      const facts = await read(context);
      if (facts === undefined) return undefined;
      return {
        find: (at) => find(facts, at, context.now),
        calm: (open) => calm(open.cause, facts, open, context.now),
      };
    },
  };
}

/** The last of several thresholds is critical. */
export function severityOf(level: number, at: readonly number[]): Severity {
  return at.length > 1 && level === at.length - 1 ? 'critical' : 'warning';
}

/** Whole days only, since the provider's dates are not more exact. */
export function inDays(days: number | undefined): string {
  if (days === undefined) return 'on a day that cannot be read';
  if (days < 0) return `${count(-days, 'day')} ago`;
  return days === 0 ? 'within a day' : `in ${count(days, 'day')}`;
}

/** The common part of findings about one order. */
export function aboutOrder(order: Order): Pick<Finding, 'cause' | 'target'> {
  return { cause: order.id, target: orderTarget(order) };
}

/** The end of an alert about an order that no longer exists; undefined if it exists or cannot be read. */
export function leftAccount(
  { orders, unreadable }: Pick<Account, 'orders' | 'unreadable'>,
  { id, name }: Target,
): AlertEnd | undefined {
  const order = orders.find((order) => order.id === id);
  if (order?.status === 'canceled') return { over: `${order.label} was canceled` };
  if (order !== undefined || unreadable.some((odd) => odd.kind === 'order' && odd.id === id)) return undefined;
  return { over: `${name} is no longer in the account` };
}

/** The line that shows the order; servers have `status`. */
export function showLine(order: Order): string {
  return order.kind === 'vps' ? `status ${order.id}` : `order ${order.id}`;
}

/** The order of the samples. */
export const sampleOrder: Order = {
  kind: 'vps',
  id: '34-12345',
  label: 'web-1',
  name: 'web-1',
  hostname: 'web-1.example.com',
  addresses: ['192.0.2.10'],
  moreAddresses: [],
  type: 'vps',
  plan: 'VPS-2',
  status: 'active',
  costMonth: 12,
  tariffPrice: 12,
  expires: null,
  tags: [],
  project: null,
  isCancelMarked: false,
};
