import { accountTarget } from '../core/account/account.ts';
import { byRenewal, coverageOf, renewing } from '../core/account/coverage.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { count, minute } from '../core/text/words.ts';
import { daysUntil } from '../core/view/days.ts';
import { defineAlert, type Gravity, gravityOf, inDays, readBalance, readMarked } from './define-alert.ts';

export const balance = defineAlert({
  name: 'balance',
  title: 'Balance runs low',
  many: (n) => `${n} balances run low`,
  isAboutAccount: true,
  everyMs: 15 * minute,
  fires: 'the balance cannot pay a renewal within the threshold',
  clears: 'it covers more days than the first threshold',
  capability: 'billing',
  thresholds: { unit: 'days', usual: [14, 7, 3], isFalling: true, min: 1, max: 365, most: 5 },
  read: async (context) => {
    const { account, now } = context;
    const [{ balance: left }, { orders, unreadable }, marked] = await Promise.all([
      readBalance(context),
      account(),
      readMarked(context),
    ]);
    const due = renewing(orders, new Set(marked.map((order) => order.id)));
    return {
      ...coverageOf(left, due, now),
      // The cost of a malformed order is unknown.
      unreadable: unreadable.filter(({ kind }) => kind === 'order').length,
      next: due.toSorted(byRenewal(now))[0],
    };
  },
  find: ({ days, withoutCost, next }, at, now) => {
    const gravity = gravityOf(at, (threshold) => days !== undefined && days <= threshold);
    if (days === undefined || gravity === undefined) return [];
    const renewal = next && `next renewal: ${next.label} ${inDays(daysUntil(next.expires, now))}`;
    const unknown = withoutCost === 0 ? undefined : `what ${count(withoutCost, 'order')} cost is unknown`;
    return [findingOf(days, gravity, [renewal, unknown])];
  },
  calm: (_, { days, withoutCost, unreadable }): AlertEnd | undefined => {
    if (unreadable > 0) return undefined;
    const words = days === undefined ? 'Nothing has to be paid from the balance' : titleOf(days);
    return withoutCost === 0 ? words : { over: `${words}, as far as costs are known` };
  },
  sample: () => findingOf(6, { level: 1, severity: 'warning' }, ['next renewal: web-1 in 6 days']),
});

function titleOf(days: number): string {
  return `Balance covers ${count(days, 'day')}`;
}

/** The whole channel reads the lines, so amounts are shown only by the button, to people who may see them. */
function findingOf(days: number, gravity: Gravity, parts: readonly (string | undefined)[]): Finding {
  const line = parts.filter((part) => part !== undefined).join(' · ');
  return {
    cause: 'balance',
    target: accountTarget,
    title: titleOf(days),
    lines: line === '' ? [] : [line],
    ...gravity,
    left: days,
    offers: [{ label: 'Balance', line: 'balance' }],
  };
}
