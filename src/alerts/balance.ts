import { accountTarget, type Order } from '../core/account.ts';
import { levelBelow } from '../core/alert.ts';
import { byRenewal, type Coverage, coverageOf, renewing } from '../core/coverage.ts';
import { daysUntil } from '../core/time.ts';
import { count, minute, money, moneyOrUnknown, monthly } from '../core/words.ts';
import { defineAlert } from './define.ts';
import { inDays, severityOf } from './words.ts';

interface Facts extends Coverage {
  readonly balance: number;
  readonly currency: string;
  readonly next: Order | undefined;
}

export const balance = defineAlert<Facts>({
  name: 'balance',
  title: 'Balance runs low',
  many: (n) => `${n} balances run low`,
  isAboutAccount: true,
  reads: 'the balance, and the dates and costs of the orders that renew',
  everyMs: 15 * minute,
  fires: 'the next renewal that the balance does not pay is no more than so many days away',
  clears: 'it covers more days than the first threshold',
  offers: 'Balance',
  capability: 'billing',
  thresholds: { unit: 'days', usual: [14, 7, 3], isFalling: true, min: 1, max: 365, most: 5 },
  look: async ({ reader, account, once, now }) => {
    const [{ balance: left, currency }, { orders }, marked] = await Promise.all([
      once('balance', () => reader.account.balance()),
      account(),
      // Asked with the provider's own filter: items of its lists may leave the mark out.
      once('marked', () => reader.orders.list({ cancel_mark: true })),
    ]);
    const due = renewing(orders, new Set(marked.map((order) => order.id)));
    return {
      ...coverageOf(left, due, now),
      balance: left,
      currency,
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
        lines: [linesOf(facts, now)],
        severity: severityOf(level, at),
        level,
        offers: [{ label: 'Balance', line: 'balance' }],
      },
    ];
  },
  calm: (_, { days }) => (days === undefined ? 'Nothing has to be paid from the balance' : titleOf(days)),
  sample: () => ({
    cause: 'balance',
    target: accountTarget,
    title: titleOf(6),
    lines: ['€ 24.10 left · € 120 a month'],
    severity: 'warning',
    level: 1,
    offers: [{ label: 'Balance', line: 'balance' }],
  }),
});

function titleOf(days: number): string {
  return `Balance covers ${count(days, 'day')}`;
}

function linesOf({ balance: left, currency, costMonth, withoutCost, next }: Facts, now: number): string {
  const renewal =
    next &&
    `next renewal: ${next.label} ${inDays(daysUntil(next.expires, now))}, ${moneyOrUnknown(next.costMonth, currency)}`;
  const unknown = withoutCost === 0 ? undefined : `what ${count(withoutCost, 'order')} cost is unknown`;
  return [`${money(left, currency)} left`, monthly(costMonth, currency), renewal, unknown]
    .filter((part) => part !== undefined)
    .join(' · ');
}
