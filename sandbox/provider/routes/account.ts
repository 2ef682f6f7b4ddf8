import { ok } from '../answer.ts';
import { defineRoute } from '../router.ts';
import { roundMoney } from '../time.ts';

export const accountRoutes = [
  defineRoute('GET /account/balance', ({ world }) => {
    const { balance, currency } = world.state.account;
    return ok({ balance, currency });
  }),
  defineRoute('GET /account/info', ({ world }) => {
    const { email, name } = world.state.account;
    return ok({ email, name });
  }),
  defineRoute('GET /account/invoices', ({ world }) => {
    const unpaid = [...world.state.invoices.values()].filter((invoice) => !invoice.isPaid);
    return ok({
      unpaid_invoices_count: unpaid.length,
      unpaid_invoices_amount: roundMoney(unpaid.reduce((sum, invoice) => sum + invoice.amount, 0)),
      currency: world.state.account.currency,
    });
  }),
];
