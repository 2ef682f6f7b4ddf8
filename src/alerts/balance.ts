import { accountTarget, type Order } from '../core/account/account.ts';
import { byRenewal, type Coverage, coverageOf, renewing } from '../core/account/coverage.ts';
import type { AlertEnd } from '../core/alert/alert.ts';
import { levelBelow } from '../core/alert/alert-rule.ts';
import { count, minute } from '../core/text/words.ts';
import { daysUntil } from '../core/view/days.ts';
import { defineAlert, inDays, severityOf } from './define.ts';

interface Facts extends Coverage {
  readonly next: Order | undefined;
  /** The number of malformed orders, whose cost is unknown. */
  readonly unreadable: number;
}

export const balance = defineAlert<Facts>({
  name: 'balance',
  title: 'Balance runs low',
  many: (n) => `${n} balances run low`,
  isAboutAccount: true,
  reads: 'the balance, and the dates and costs of the orders that renew',
  everyMs: 15 * minute,
  fires: 'the balance cannot pay a renewal within the threshold',
  clears: 'it covers more days than the first threshold',
  offers: 'Balance',
  capability: 'billing',
  thresholds: { unit: 'days', usual: [14, 7, 3], isFalling: true, min: 1, max: 365, most: 5 },
  read: async ({ reader, account, once, now }) => {
    const [{ balance: left }, { orders, unreadable }, marked] = await Promise.all([
      once('balance', () => reader.account.balance()),
      account(),
      // Uses the provider's own filter, since items of its lists may lack the mark.
      once('marked', () => reader.orders.list({ cancel_mark: true })),
    ]);
    const due = renewing(orders, new Set(marked.map((order) => order.id)));
    return {
      ...coverageOf(left, due, now),
      unreadable: unreadable.filter(({ kind }) => kind === 'order').length,
      next: due.toSorted(byRenewal(now))[0],
    };
  },
  find: (facts, at, now) => {
    const level = facts.days === undefined ? undefined : levelBelow(facts.days, at);
    if (level === undefined || facts.days === undefined) return [];
    return [
      {
        cause: 'balance',
        target: accountTarget,
        title: titleOf(facts.days),
        lines: linesOf(facts, now),
        severity: severityOf(level, at),
        level,
        left: facts.days,
        offers: [{ label: 'Balance', line: 'balance' }],
      },
    ];
  },
  calm: (_, { days, withoutCost, unreadable }): AlertEnd | undefined => {
    if (unreadable > 0) return undefined;
    const words = days === undefined ? 'Nothing has to be paid from the balance' : titleOf(days);
    return withoutCost === 0 ? words : { over: `${words}, as far as costs are known` };
  },
  sample: () => ({
    cause: 'balance',
    target: accountTarget,
    title: titleOf(6),
    lines: ['next renewal: web-1 in 6 days'],
    severity: 'warning',
    level: 1,
    offers: [{ label: 'Balance', line: 'balance' }],
  }),
});

function titleOf(days: number): string {
  return `Balance covers ${count(days, 'day')}`;
}

/** The whole channel reads the lines, so amounts are shown only by the button, to people who may see them. */
function linesOf({ withoutCost, next }: Facts, now: number): string[] {
  const renewal = next && `next renewal: ${next.label} ${inDays(daysUntil(next.expires, now))}`;
  const unknown = withoutCost === 0 ? undefined : `what ${count(withoutCost, 'order')} cost is unknown`;
  const parts = [renewal, unknown].filter((part) => part !== undefined);
  return parts.length === 0 ? [] : [parts.join(' · ')];
}
