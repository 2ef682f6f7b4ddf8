import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { integer, optional } from '../../core/command/args.ts';
import { count } from '../../core/text/words.ts';
import { impossible, Refusal } from '../../core/view/errors.ts';
import { buttonRow, formButton, offered, runButton, says } from '../../core/view/view.ts';
import { channelRead, defineAction, defineList, defineQuery, made, sent, verdictOf } from '../define.ts';

export const netCreate = defineAction({
  path: 'net create',
  words: `create · add · new · set up · spin up | network · private network · vlan · lan · net · private net · priv
    net · internal net · private lan · vpc | make network · make private net · need network · need private net · need
    priv net · make vlan`,
  title: 'Create the network',
  summary: 'Create the private network of the account',
  capability: 'operate',
  isAccountWide: () => true,
  risk: 'routine',
  step: z.object({}),
  plan: async (_, { reader }) => {
    const [existing] = await reader.privateNetworks.list();
    if (existing !== undefined) {
      const text = `The account has a private network already (${existing.id}); there is one per account.`;
      const show = { label: 'Show it', command: 'net list' };
      throw impossible(text, 'Connect servers to it with /host net connect.', undefined, show);
    }
    return {
      title: 'Create the private network',
      subject: ['one per account'],
      effect: 'An empty private network is created. No server is connected to it yet.',
      facts: { networks: [] },
      steps: [{ target: accountTarget, label: 'private network', data: {} }],
    };
  },
  execute: (_, { provider }) => made('private network', provider.privateNetworks.create()),
  verify: async (_, { reader }) => {
    const isThere = (await reader.privateNetworks.list()).length > 0;
    return verdictOf(isThere, 'the private network is in the list', 'the account has no private network');
  },
  done: () => ({ text: 'private network created' }),
});

export function noNetwork(field?: string): Refusal {
  const create = { label: 'Create the network', command: 'net create' };
  const text = 'This account has no private network to connect to.';
  return impossible(text, 'Make it first: /host net create.', field, create);
}

export const netDelete = defineAction({
  path: 'net delete',
  words: `delete · remove · kill · get rid of · erase · tear down · drop | network · private network · vlan · lan ·
    net · private net · priv net · internal net · private lan · vpc |`,
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
    if (networks.length === 0)
      return {
        title: 'Delete the private network',
        targets: [accountTarget],
        effect: 'Nothing changes.',
        facts: { networks: [] },
        steps: [],
        nothingToDo: 'The account has no private network.',
      };
    const network = wanted === undefined ? networks[0] : networks.find(({ id }) => id === wanted);
    if (network === undefined || (wanted === undefined && networks.length > 1)) {
      const ids = networks.map(({ id }) => id).join(', ');
      const why =
        wanted === undefined ? 'There are several private networks.' : `There is no private network ${wanted}.`;
      throw new Refusal('not_found', why, { hint: `The account has: ${ids}.`, field: 'network' });
    }
    const { id } = network;
    const name = `private network ${id}`;
    return {
      title: `Delete ${name}`,
      subject: [name],
      effect: 'The private network is deleted. Servers then reach each other over public addresses only.',
      glance: 'connected servers lose it at once; the provider does not show which are connected',
      details: [
        ['Servers', 'Connected servers lose the network at once. The provider does not show which are connected.'],
      ],
      facts: { networks: networks.map((network) => network.id).toSorted(), 'private network': id },
      steps: [{ target: accountTarget, label: name, data: { id } }],
      typedName: name,
    };
  },
  execute: ({ id }, { provider }) => sent(provider.privateNetworks.delete({ id })),
  verify: async ({ id }, { reader }) => {
    const isGone = (await reader.privateNetworks.list()).every((network) => network.id !== id);
    const name = `private network ${id}`;
    return verdictOf(isGone, `${name} is no longer in the list`, `${name} is still in the list`);
  },
  done: ([step]) => ({ text: `private network ${step.data.id} deleted` }),
});

const unreported = 'The API does not report which servers are connected. /host net connect connects one.';

export const netList = defineQuery({
  path: 'net list',
  words: `| network · private network · vlan · lan · net · private net · priv net · internal net · private lan · vpc |
    which server network · attached network · connected network`,
  title: 'Private network',
  summary: 'Show the private network of the account',
  ...channelRead,
  isAccountWide: () => true,
  run: async (_, { reader, may }) => {
    const networks = await reader.privateNetworks.list();
    const locations = runButton('Locations', 'net locations');
    const mayChange = may('operate', accountTarget);
    if (networks.length === 0)
      return says('The account has no private network.', [
        ...(mayChange ? [runButton('Create', 'net create')] : []),
        locations,
      ]);
    const names = networks.map(({ id }) => `private network ${id}`).join(', ');
    return {
      summary: names,
      parts: [
        { kind: 'text', text: `The account has ${names}. There is one per account.` },
        { kind: 'context', text: unreported },
        ...buttonRow([
          ...(mayChange ? [formButton('Connect…', 'net connect'), formButton('Disconnect…', 'net disconnect')] : []),
          locations,
          ...offered([[may('destroy', accountTarget), { ...runButton('Delete…', 'net delete'), style: 'danger' }]]),
        ]),
      ],
    };
  },
});

export const netLocations = defineList({
  path: 'net locations',
  words: '| network location',
  isBehind: true,
  title: 'Network locations',
  summary: 'List where servers can be connected to the private network',
  ...channelRead,
  list: async (_, { reader }, show) => {
    const all = await reader.privateNetworks.locations();
    return show({
      all: all.toSorted((a, b) => a.location.label.localeCompare(b.location.label)),
      columns: [{ name: 'Place' }, { name: 'Code' }],
      row: ({ location }) => [location.label || location.value, location.value],
      none: 'The provider names no location with private networks.',
      total: count(all.length, 'location'),
    });
  },
});
