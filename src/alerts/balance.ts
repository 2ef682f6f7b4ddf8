import { accountTarget, type Order } from '../core/account.ts';
import { levelBelow } from '../core/alert.ts';
import { byRenewal, daysCovered, monthlyCost, renewing } from '../core/coverage.ts';
import { daysUntil } from '../core/time.ts';
import { count, minute, money } from '../core/words.ts';
import { defineAlert } from './define.ts';
import { inDays, severityOf } from './words.ts';

interface Facts {
  readonly balance: number;
  readonly currency: string;
  readonly costMonth: number;
  /** Whole days; undefined when nothing has to be paid. */
  readonly days: number | undefined;
  readonly next: Order | undefined;
}

export const balance = defineAlert<Facts>({
  name: 'balance',
  title: 'Balance runs low',
  many: (n) => `${n} balances run low`,
  isAboutAccount: true,
  reads: 'the balance, and what the orders that renew cost a month',
  everyMs: 15 * minute,
  fires: 'the balance covers no more than so many days at the present monthly cost',
  clears: 'it covers more days than the first threshold',
  offers: 'Balance',
  capability: 'billing',
  thresholds: { unit: 'days', usual: [14, 7, 3], isFalling: true, min: 1, max: 365, most: 5 },
  look: async ({ reader, account, once, now }) => {
    const [{ balance: left, currency }, { orders }] = await Promise.all([
      once('balance', () => reader.account.balance()),
      account(),
    ]);
    const due = renewing(orders);
    const costMonth = monthlyCost(due);
    return {
      balance: left,
      currency,
      costMonth,
      days: daysCovered(left, costMonth),
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

function linesOf({ balance: left, currency, costMonth, next }: Facts, now: number): string {
  const renewal =
    next && `next renewal: ${next.label} ${inDays(daysUntil(next.expires, now))}, ${money(next.costMonth, currency)}`;
  return [`${money(left, currency)} left`, `${money(costMonth, currency)} a month`, renewal]
    .filter((part) => part !== undefined)
    .join(' · ');
}
