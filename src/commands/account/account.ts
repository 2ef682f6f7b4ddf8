import { accountTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { byRenewal, coverageOf, renewing } from '../../core/account/coverage.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, money, moneyOrUnknown, monthly } from '../../core/text/words.ts';
import { ifReadable, Refusal } from '../../core/view/errors.ts';
import { fieldsPart, runButton, textPart } from '../../core/view/view.ts';
import type { InvoiceSummary } from '../../provider/endpoints/account.ts';
import { defineList, defineQuery, listView, moneyRead } from '../define.ts';
import { costOf, markedIds } from '../orders/read-order.ts';
import { paidUntil } from '../servers/see-servers.ts';

export const account = defineQuery({
  path: 'account',
  words: `| account · profile · acct · hosting account · provider login · account detail | information about
    profile · whoami at hoster`,
  title: 'Account',
  summary: 'Show whose account this is',
  isBehind: true,
  capability: 'billing',
  // The response contains a person's mail address.
  visibility: 'person',
  run: async (_, context) => {
    mustReachAccount(context, 'the account');
    const { name, email } = await context.reader.account.info();
    return {
      summary: `The account of ${name || email}`,
      parts: [
        ...fieldsPart([
          ['Name', name || 'None given'],
          ['Mail', email || 'None given'],
        ]),
        { kind: 'buttons', buttons: [runButton('Balance', 'balance')] },
      ],
    };
  },
});

/** Refuses people without a grant on the account: a grant on some servers does not include money. */
export function mustReachAccount({ may }: Pick<ReadContext, 'may'>, what: string): void {
  if (may('billing', accountTarget)) return;
  const text = `You may not see ${what} here: you have “billing” on a part of the account only.`;
  throw new Refusal('not_granted', text, { hint: 'It has to be granted on `all`.' });
}

const renewalsShown = 5;

export const balance = defineQuery({
  path: 'balance',
  words: `spend | balance · invoice · bill · money · credit · fund · payment · budget | how much do we owe · how
    much do we pay · how much pay · how much money · how many money · what do we owe · when do we pay · unpaid ·
    money finish · money run out · money left · how much · how much left · total cost · what do we pay · next
    invoice · invoices = · next payment · payment due · what is due · credit last · money last · how long will
    last · balance last · run dry · outstanding invoice · must we pay soon`,
  title: 'Balance',
  summary: 'Show the balance, how long it lasts, unpaid invoices and the next renewals',
  capability: 'billing',
  visibility: 'money',
  run: async (_, context) => {
    mustReachAccount(context, 'the balance');
    const { reader, now } = context;
    const [{ balance, currency }, invoices, { orders }, marked] = await Promise.all([
      reader.account.balance(),
      ifReadable(reader.account.invoices(), 'unavailable'),
      context.account(),
      markedIds(reader),
    ]);
    const due = renewing(orders, marked);
    const { days, costMonth, withoutCost } = coverageOf(balance, due, now);
    const unknown = withoutCost === 0 ? '' : `, without ${count(withoutCost, 'order')} whose cost is unknown`;
    const lasts =
      days === undefined
        ? 'nothing is due'
        : `covers ${count(days, 'day')} (${monthly(costMonth, currency)}${unknown})`;
    const hasUnpaid = (invoices?.unpaid_invoices_count ?? 0) > 0;
    const line = [money(balance, currency), lasts, unpaid(invoices)].join(' · ');
    const next = due.toSorted(byRenewal(now)).slice(0, renewalsShown);
    const foot = `${count(due.length, 'order')} counted as renewed from the balance; whether one renews is not known`;
    const noDetails = "The API gives no details of an invoice: see and pay it in the provider's panel.";
    return listView({
      all: next,
      columns: [{ name: 'Next renewals' }, { name: 'Paid until' }, { name: 'A month', align: 'right' }],
      row: (order) => [[{ bold: order.label }], paidUntil(order, now), moneyOrUnknown(order.costMonth, currency)],
      instead: '',
      total: line,
      foot: () => `${foot}${due.length > next.length ? `. The next ${next.length} are shown` : ''}.`,
      above: [{ kind: 'text', text: line }],
      below: () => textPart('context', hasUnpaid ? noDetails : ''),
      buttons: [
        runButton('Expiring', 'orders expiring 14d'),
        ...(hasUnpaid ? [runButton('Unpaid orders', 'orders unpaid')] : []),
        runButton('Whose account', 'account'),
      ],
    });
  },
});

/** `no unpaid invoices`, `2 unpaid invoices (€ 14.50)` */
export function unpaid(invoices: InvoiceSummary | undefined): string {
  if (invoices === undefined) return 'unpaid invoices unknown';
  const { unpaid_invoices_count: n, unpaid_invoices_amount: amount, currency } = invoices;
  return n === 0 ? 'no unpaid invoices' : `${count(n, 'unpaid invoice')} (${money(amount, currency)})`;
}

export const costs = defineList({
  path: 'costs',
  words: `| cost · spending · expense · cost and usage | how much do we spend · how much we spent · have spent ·
    cost each month · costs each month · pay for each · spend on · costs by · costs per · costs of · costs last
    month · pay most for · pay per month · pay every month · most expensive · how much save · would save · gave up ·
    price of server · server cost · cost together · project cost · spend by · spend per · expenses per · spend
    each month`,
  title: 'Costs',
  summary: 'Show the monthly costs by project and by tag',
  alsoSays: ['project', 'projects', 'tag', 'tags', 'and', 'a', 'month'],
  ...moneyRead,
  list: async (_, { account, currency, may }, show) => {
    const [{ orders }, inCurrency] = await Promise.all([account(), currency()]);
    const own = orders.filter((order) => order.status !== 'canceled' && may('read', orderTarget(order)));
    const projectOf = ({ project }: Order) => [project === null ? 'No project' : `Project ${project.name}`];
    const tagsOf = ({ tags }: Order) => tags.map((tag) => `Tag ${tag}`);
    const groups = [projectOf, tagsOf].flatMap((groupsOf) => {
      const each = own.flatMap((order) => groupsOf(order).map((group) => ({ ...order, group })));
      return [...Map.groupBy(each, ({ group }) => group)].toSorted(([, a], [, b]) => costOf(b) - costOf(a));
    });
    const unknown = own.filter(({ costMonth }) => costMonth === null).length;
    const without = unknown === 0 ? '' : `, without ${count(unknown, 'order')} whose cost is unknown`;
    const total = `${count(own.length, 'order')} · ${money(costOf(own), inCurrency)} a month${without}`;
    return show({
      all: groups,
      columns: [{ name: 'Costs of' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
      row: ([name, some]) => [name, String(some.length), money(costOf(some), inCurrency)],
      total,
      foot: (note) => `${total} · an order counts once for each of its tags${note}`,
    });
  },
});
