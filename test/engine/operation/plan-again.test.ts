import { expect, test } from 'vitest';
import { emptyAccount } from '../../../src/core/account/account.ts';
import { planAgain } from '../../../src/engine/operation/plan-again.ts';

type Given = Parameters<typeof planAgain>;

test('a request is planned again with the account of one moment, which no write of another request makes it read again', async () => {
  const account = { ...emptyAccount, readAt: 7 };
  const context = {
    accountReader: { read: async () => account },
    readContext: async () => ({
      account: () => Promise.reject(new Error('the account is read a second time')),
    }),
  };
  const command = {
    needsAccount: true,
    prepare: () => ({
      targets: [],
      canonical: {},
      plan: async (read: { account: () => Promise<unknown> }) => ({ facts: await read.account() }),
    }),
  };
  // A plan touches nothing else here.
  const operation = { args: {}, requester: 'U0OPERATOR' };
  const { plan } = await planAgain(
    context as unknown as Given[0],
    operation as unknown as Given[1],
    command as unknown as Given[2],
    { may: () => true } as unknown as Given[3],
  );
  expect(plan.facts).toBe(account);
});
