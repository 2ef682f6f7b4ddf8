import { accountTarget } from '../../core/account/account.ts';
import { buttonRow, formButton, offered, runButton, says } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

export const netList = defineQuery({
  path: 'net list',
  title: 'Private network',
  summary: 'Show the private network of the account',
  examples: ['net list', 'net list'],
  args: {},
  capability: 'read',
  isAccountWide: () => true,
  visibility: 'channel',
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
        {
          kind: 'context',
          text: 'The API does not report which servers are connected. /host net connect connects one.',
        },
        ...buttonRow([
          ...(mayChange ? [formButton('Connect…', 'net connect'), formButton('Disconnect…', 'net disconnect')] : []),
          locations,
          ...offered([[may('destroy', accountTarget), { ...runButton('Delete…', 'net delete'), style: 'danger' }]]),
        ]),
      ],
    };
  },
});
