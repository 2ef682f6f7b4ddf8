import { byRenewal, coverageOf, renewing } from '../../core/account/coverage.ts';
import { count, money, moneyOrUnknown, monthly } from '../../core/text/words.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { runButton, textPart } from '../../core/view/view.ts';
import type { InvoiceSummary } from '../../provider/endpoints/account.ts';
import { defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { markedIds } from '../orders/read-order.ts';
import { paidUntil } from '../servers/see-servers.ts';
import { mustReachAccount } from './account.ts';

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
