import { ok } from '../answer.ts';
import { defineRoute } from '../router.ts';
import { roundMoney } from '../time.ts';

export const accountRoutes = [
  defineRoute('GET /account/balance', ({ provider }) => {
    const { balance, currency } = provider.state.account;
    return ok({ balance, currency });
  }),
  defineRoute('GET /account/info', ({ provider }) => {
    const { email, name } = provider.state.account;
    return ok({ email, name });
  }),
  defineRoute('GET /account/invoices', ({ provider }) => {
    const unpaid = [...provider.state.invoices.values()].filter((invoice) => !invoice.isPaid);
    return ok({
      unpaid_invoices_count: unpaid.length,
      unpaid_invoices_amount: roundMoney(unpaid.reduce((sum, invoice) => sum + invoice.amount, 0)),
      currency: provider.state.account.currency,
    });
  }),
];
