import { accountTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';
import { fieldsPart, runButton } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

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
  throw new Refusal('not_granted', `You may not see ${what} here: you have “billing” on a part of the account only.`, {
    hint: 'It has to be granted on `all`.',
  });
}
