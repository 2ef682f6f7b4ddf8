import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { integer, optional } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';

export const netDelete = defineAction({
  path: 'net delete',
  title: 'Delete the network',
  summary: 'Delete the private network of the account',
  examples: ['net delete', 'net delete 1'],
  args: {
    network: optional(integer({ hint: 'Its id. The default is the only one.', min: 1, max: Number.MAX_SAFE_INTEGER })),
  },
  capability: 'destroy',
  isAccountWide: () => true,
  risk: 'dangerous',
  step: z.object({ id: z.number() }),
  plan: async ({ network: wanted }, { reader }) => {
    const networks = await reader.privateNetworks.list();
    if (networks.length === 0) return nothing('The account has no private network.');
    const network = wanted === undefined ? networks[0] : networks.find(({ id }) => id === wanted);
    if (network === undefined || (wanted === undefined && networks.length > 1)) {
      const ids = networks.map(({ id }) => id).join(', ');
      throw new Refusal(
        'not_found',
        wanted === undefined ? 'There are several private networks.' : `There is no private network ${wanted}.`,
        {
          hint: `The account has: ${ids}.`,
          field: 'network',
        },
      );
    }
    const { id } = network;
    return {
      title: `Delete private network ${id}`,
      subject: [`private network ${id}`],
      targets: [accountTarget],
      effect: 'The private network is deleted. Servers then reach each other over public addresses only.',
      glance: 'connected servers lose it at once; the provider does not show which are connected',
      details: [
        ['Servers', 'Connected servers lose the network at once. The provider does not show which are connected.'],
      ],
      facts: { networks: networks.map((network) => network.id).toSorted(), 'private network': id },
      steps: [{ target: accountTarget, label: `private network ${id}`, data: { id } }],
      typedName: `private network ${id}`,
    };
  },
  execute: async ({ id }, { provider }) => {
    await provider.privateNetworks.delete({ id });
    return { text: '', data: null };
  },
  verify: async ({ id }, { reader }) => {
    const isThere = (await reader.privateNetworks.list()).some((network) => network.id === id);
    return {
      is: isThere ? 'not' : 'so',
      text: `private network ${id} is ${isThere ? 'still' : 'no longer'} in the list`,
    };
  },
  done: ([step]) => ({ text: `private network ${step?.data.id ?? ''} deleted` }),
});

function nothing(nothingToDo: string) {
  return {
    title: 'Delete the private network',
    subject: [],
    targets: [accountTarget],
    effect: 'Nothing changes.',
    details: [],
    facts: { networks: [] },
    steps: [],
    nothingToDo,
  };
}
