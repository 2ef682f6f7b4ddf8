import { accountTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';

/** Refuses people without a grant on the account: a grant on some servers does not include money. */
export function mustReachAccount({ may }: Pick<ReadContext<unknown>, 'may'>, what: string): void {
  if (may('billing', accountTarget)) return;
  throw new Refusal('not_granted', `You may not see ${what} here: you have “billing” on a part of the account only.`, {
    hint: 'It has to be granted on `all`.',
  });
}
