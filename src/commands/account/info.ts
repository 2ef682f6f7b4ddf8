import { fieldsPart, runButton } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { mustReachAccount } from './balance.ts';

export const account = defineQuery({
  path: 'account',
  title: 'Account',
  summary: 'Show whose account this is',
  examples: ['account', 'account'],
  isBehind: true,
  args: {},
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
