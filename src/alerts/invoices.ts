import { accountTarget } from '../core/account/account.ts';
import { count, minute } from '../core/text/words.ts';
import type { InvoiceSummary } from '../provider/endpoints/account.ts';
import { defineAlert, warning } from './define-alert.ts';

export const invoices = defineAlert<InvoiceSummary>({
  name: 'invoices',
  title: 'Unpaid invoices',
  many: (n) => `${n} accounts with unpaid invoices`,
  isAboutAccount: true,
  everyMs: 15 * minute,
  fires: 'an invoice is unpaid',
  clears: 'no invoice is unpaid',
  capability: 'billing',
  read: ({ reader, once }) => once('invoices', () => reader.account.invoices()),
  find: (facts) => (facts.unpaid_invoices_count === 0 ? [] : [findingOf(facts)]),
  calm: () => 'No invoice is unpaid',
  sample: () => findingOf({ unpaid_invoices_count: 2, unpaid_invoices_amount: 34.5, currency: 'EUR' }),
});

/** The whole channel reads the alert, so amounts are shown only by the button, to people who may see them. */
function findingOf({ unpaid_invoices_count: n }: InvoiceSummary) {
  return {
    cause: 'invoices',
    target: accountTarget,
    title: `${count(n, 'invoice')} ${n === 1 ? 'is' : 'are'} unpaid`,
    lines: [],
    ...warning,
    offers: [{ label: 'Invoices', line: 'balance' }],
  } as const;
}
