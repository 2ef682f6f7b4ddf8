import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { Refusal, type RefusalDetails } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { verdictOf } from '../outcome.ts';

export const netCreate = defineAction({
  path: 'net create',
  title: 'Create the network',
  summary: 'Create the private network of the account',
  examples: ['net create', 'net create'],
  args: {},
  capability: 'operate',
  isAccountWide: () => true,
  risk: 'routine',
  step: z.object({}),
  plan: async (_, { reader }) => {
    const [existing] = await reader.privateNetworks.list();
    if (existing !== undefined) {
      throw new Refusal(
        'impossible',
        `The account has a private network already (${existing.id}); there is one per account.`,
        {
          hint: 'Connect servers to it with /host net connect.',
          suggestions: [{ label: 'Show it', command: 'net list' }],
        },
      );
    }
    return {
      title: 'Create the private network',
      subject: ['one per account'],
      effect: 'An empty private network is created. No server is connected to it yet.',
      facts: { networks: [] },
      steps: [{ target: accountTarget, label: 'private network', data: {} }],
    };
  },
  execute: async (_, { provider }) => {
    const { id } = await provider.privateNetworks.create();
    return { text: `private network ${id}`, data: { id } };
  },
  verify: async (_, { reader }) => {
    const isThere = (await reader.privateNetworks.list()).length > 0;
    return verdictOf(isThere, 'the private network is in the list', 'the account has no private network');
  },
  done: () => ({ text: 'private network created' }),
});

export function noNetwork(more: RefusalDetails = {}): Refusal {
  return new Refusal('impossible', 'This account has no private network to connect to.', {
    hint: 'Make it first: /host net create.',
    suggestions: [{ label: 'Create the network', command: 'net create' }],
    ...more,
  });
}
