import { runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { unpaid } from './balance.ts';
import { mustReachAccount } from './whole-account.ts';

export const invoices = defineQuery({
  path: 'invoices',
  title: 'Invoices',
  summary: 'Show how many invoices are unpaid, and their total',
  examples: ['invoices', 'invoices'],
  alsoCalled: [
    'invoice',
    'bills',
    'unpaid',
    'unpaid invoices',
    'open invoices',
    'next invoice',
    'what do we owe',
    'what do i owe',
  ],
  args: {},
  capability: 'billing',
  visibility: 'money',
  run: async (_, context) => {
    mustReachAccount(context, 'invoices');
    const read = await context.reader.account.invoices();
    const said = unpaid(read);
    const line = `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
    return {
      summary: line,
      parts: [
        { kind: 'text', text: line },
        ...(read.unpaid_invoices_count === 0
          ? []
          : [
              {
                kind: 'context',
                text: "The API provides no further details; view and pay invoices in the provider's panel.",
              } as const,
            ]),
        {
          kind: 'buttons',
          buttons: [runButton('Unpaid orders', 'orders unpaid'), runButton('Balance', 'balance')],
        },
      ],
    };
  },
});
